"""The network: as numbers to learn, as whole numbers, and as a file.

It is the twin of the crate `tabiya-nnue`; what the numbers mean is told there (`cargo doc`, module `format`).
"""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

import records as rec

INPUTS = 768
WIDTH = 512  # the default; the program reads only the width that it is built for
BUCKETS = 8
ONE = 255  # what 1.0 is for a sum
OUTPUT_ONE = 64  # what 1.0 is for a weight of an output
# Limits in whole numbers, so that no sum overflows.
SUM_LIMIT = 32767 // 33
OUTPUT_LIMIT = 127
OUTPUTS_LIMIT = (2**31 - 1) // ONE**2
MAX_EVALUATION = 20_000
MAGIC = b"TabiyaNN"
VERSION = 1


class Network(nn.Module):
    """Two times 768 inputs, `width` sums each, squared and clipped, to one of eight outputs."""

    def __init__(self, width: int = WIDTH):
        super().__init__()
        self.width = width
        self.sums = nn.Linear(INPUTS, width)
        self.outputs = nn.Linear(2 * width, BUCKETS)

    def forward(self, own: torch.Tensor, theirs: torch.Tensor, bucket: torch.Tensor) -> torch.Tensor:
        hidden = torch.cat((self.sums(own), self.sums(theirs)), dim=1).clamp(0, 1).square()
        return self.outputs(hidden).gather(1, bucket[:, None])[:, 0]

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps the weights within what the file allows."""
        limit = SUM_LIMIT / ONE
        self.sums.weight.clamp_(-limit, limit)
        self.sums.bias.clamp_(-limit, limit)
        weights = self.outputs.weight
        limit = OUTPUT_LIMIT / OUTPUT_ONE
        weights.clamp_(-limit, limit)
        # All weights of an output together, less what rounding may add.
        limit = (OUTPUTS_LIMIT - self.width) / OUTPUT_ONE
        total = weights.abs().sum(dim=1, keepdim=True)
        weights.mul_((limit / total).clamp(max=1))


@dataclass
class Quantised:
    """The network in whole numbers, as the file has it."""

    weights: np.ndarray  # [768, width]
    bias: np.ndarray  # [width]
    outputs: np.ndarray  # [8, 2 * width], the side to move first
    output_bias: np.ndarray  # [8]
    scale: int
    description: str

    @staticmethod
    def of(network: Network, scale: int, description: str) -> "Quantised":
        network.clip()

        def whole(tensor: torch.Tensor, unit: int) -> np.ndarray:
            return torch.round(tensor.detach().double().cpu() * unit).to(torch.int64).numpy()

        return Quantised(
            weights=whole(network.sums.weight, ONE).T.copy(),
            bias=whole(network.sums.bias, ONE),
            outputs=whole(network.outputs.weight, OUTPUT_ONE),
            output_bias=whole(network.outputs.bias, ONE * OUTPUT_ONE),
            scale=scale,
            description=description,
        )

    def evaluate(self, records: torch.Tensor) -> np.ndarray:
        """Centipawns for each record, exactly as the program computes them.

        The products are made in double precision, which is exact here: no number comes near 2**53.
        """
        own = rec.kinds(records.cpu())
        sides = [own, rec.opponents(own)]
        weights = torch.from_numpy(self.weights).double()
        bias = torch.from_numpy(self.bias).double()
        sums = [rec.inputs(side, torch.float64) @ weights + bias for side in sides]
        hidden = torch.cat(sums, dim=1).clamp(0, ONE).square()
        bucket = rec.buckets(records.cpu(), BUCKETS)
        outputs = torch.from_numpy(self.outputs).double()[bucket]
        total = (hidden * outputs).sum(dim=1).to(torch.int64)
        total = torch.div(total, ONE, rounding_mode="trunc")
        total = total + torch.from_numpy(self.output_bias)[bucket]
        result = torch.div(total * self.scale, ONE * OUTPUT_ONE, rounding_mode="trunc")
        return result.clamp(-MAX_EVALUATION, MAX_EVALUATION).numpy()

    def to_network(self, device: torch.device) -> Network:
        """The rounded weights as numbers again, to measure what rounding costs."""
        network = Network(len(self.bias))
        with torch.no_grad():
            network.sums.weight.copy_(torch.from_numpy(self.weights.T / ONE))
            network.sums.bias.copy_(torch.from_numpy(self.bias / ONE))
            network.outputs.weight.copy_(torch.from_numpy(self.outputs / OUTPUT_ONE))
            network.outputs.bias.copy_(torch.from_numpy(self.output_bias / (ONE * OUTPUT_ONE)))
        return network.to(device)

    def to_bytes(self) -> bytes:
        text = self.description.encode()
        shape = (INPUTS, len(self.bias), BUCKETS, ONE, OUTPUT_ONE)
        header = MAGIC + struct.pack("<8H", VERSION, *shape, self.scale, len(text))
        parts = [self.weights, self.bias, self.outputs]
        body = text + b"".join(part.astype("<i2").tobytes() for part in parts)
        body += self.output_bias.astype("<i4").tobytes()
        return header + struct.pack("<I", zlib.crc32(body, zlib.crc32(header))) + body

    @staticmethod
    def from_bytes(data: bytes) -> "Quantised":
        if data[:8] != MAGIC:
            raise ValueError("not the file of a Tabiya network")
        version, inputs, width, buckets, one, output_one, scale, length = struct.unpack("<8H", data[8:24])
        if (version, inputs, buckets, one, output_one) != (VERSION, INPUTS, BUCKETS, ONE, OUTPUT_ONE):
            raise ValueError("a network of another kind")
        (checksum,) = struct.unpack("<I", data[24:28])
        if zlib.crc32(data[28:], zlib.crc32(data[:24])) != checksum:
            raise ValueError("the checksum is wrong")
        description, numbers = data[28 : 28 + length].decode(), data[28 + length :]
        words = np.frombuffer(numbers[: -4 * BUCKETS], dtype="<i2").astype(np.int64)
        weights, bias, outputs = np.split(words, [INPUTS * width, (INPUTS + 1) * width])
        return Quantised(
            weights=weights.reshape(INPUTS, width),
            bias=bias,
            outputs=outputs.reshape(BUCKETS, 2 * width),
            output_bias=np.frombuffer(numbers[-4 * BUCKETS :], dtype="<i4").astype(np.int64),
            scale=scale,
            description=description,
        )

    def save(self, path: Path) -> None:
        """Writes the file; whatever happens meanwhile, it is either the old or the new one."""
        new = path.with_name(path.name + ".new")
        new.write_bytes(self.to_bytes())
        new.replace(path)
