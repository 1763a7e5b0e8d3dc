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

INPUTS = 768  # for each king bucket
WIDTH = 512  # the default; the program reads only the width that it is built for
# King buckets: on a side's mirrored board its king stands on files a to d; for each rank of its own, these
# four. The program reads only networks with the buckets that it is built for.
KING_TABLES = {
    1: [0] * 32,
    4: [0, 0, 1, 1] + [2] * 4 + [3] * 24,
    8: [0, 0, 1, 1] + [2, 2, 3, 3] + [4, 4, 5, 5] + [6] * 8 + [7] * 12,
}
KINGS = 1  # the default
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


class Positions:
    """Records unpacked to what a network looks at; many at once, so that a step of training has little to do."""

    def __init__(self, records: torch.Tensor, kings: int):
        self.kings = kings
        count = len(records)
        device = records.device
        self.boards = torch.empty((2, count, 64), dtype=torch.uint8, device=device)
        self.king = torch.empty((2, count), dtype=torch.uint8, device=device)
        self.bucket = torch.empty(count, dtype=torch.uint8, device=device)
        self.score = torch.empty(count, dtype=torch.float32, device=device)
        self.points = torch.empty(count, dtype=torch.float32, device=device)
        self.lesson = None  # what a teacher expects, if there is one
        for first in range(0, count, 1 << 18):
            part = slice(first, first + (1 << 18))
            chunk = records[part]
            own = rec.kinds(chunk)
            for side, kinds in enumerate((own, rec.opponents(own))):
                board = rec.mirrored(kinds)
                self.boards[side, part] = board
                self.king[side, part] = rec.king_buckets(board, KING_TABLES[kings])
            self.bucket[part] = rec.buckets(chunk, BUCKETS)
            self.score[part] = rec.scores(chunk)
            self.points[part] = rec.points(chunk)

    def __len__(self) -> int:
        return len(self.bucket)

    def pick(self, chosen) -> "Positions":
        """Some of them."""
        picked = object.__new__(Positions)
        picked.kings = self.kings
        picked.boards, picked.king = self.boards[:, chosen], self.king[:, chosen]
        picked.bucket, picked.score, picked.points = self.bucket[chosen], self.score[chosen], self.points[chosen]
        picked.lesson = None if self.lesson is None else self.lesson[chosen]
        return picked

    def inputs(self, dtype: torch.dtype) -> list[torch.Tensor]:
        """Zeros and ones, for the side to move and for its opponent."""
        return [rec.inputs(board, king, self.kings, dtype) for board, king in zip(self.boards, self.king)]


class Network(nn.Module):
    """Two times 768 inputs, `width` sums each, squared and clipped, to one of eight outputs.

    With several king buckets, what an input adds is the sum of two weights while it learns: one that all
    buckets share, and one of its own. Rare places of the king learn from the common ones that way.
    """

    def __init__(self, width: int = WIDTH, kings: int = KINGS):
        super().__init__()
        self.width = width
        self.kings = kings
        self.sums = nn.Linear(INPUTS, width)
        self.by_king = nn.Parameter(torch.zeros(width, kings, INPUTS)) if kings > 1 else None
        self.outputs = nn.Linear(2 * width, BUCKETS)

    def weights(self) -> torch.Tensor:
        """What each input adds to the sums: a row for each sum, a column for each input."""
        if self.by_king is None:
            return self.sums.weight
        return (self.sums.weight[:, None, :] + self.by_king).reshape(self.width, self.kings * INPUTS)

    def forward(self, own: torch.Tensor, theirs: torch.Tensor, bucket: torch.Tensor) -> torch.Tensor:
        weights = self.weights()
        sums = [nn.functional.linear(side, weights, self.sums.bias) for side in (own, theirs)]
        hidden = torch.cat(sums, dim=1).clamp(0, 1).square()
        return self.outputs(hidden).gather(1, bucket[:, None])[:, 0]

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps the weights within what the file allows."""
        limit = SUM_LIMIT / ONE
        self.sums.bias.clamp_(-limit, limit)
        if self.by_king is not None:
            limit /= 2  # two weights make one
            self.by_king.clamp_(-limit, limit)
        self.sums.weight.clamp_(-limit, limit)
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

    weights: np.ndarray  # [768 * king buckets, width]
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
            weights=whole(network.weights(), ONE).T.copy(),
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
        positions = Positions(records.cpu(), self.kings)
        weights = torch.from_numpy(self.weights).double()
        bias = torch.from_numpy(self.bias).double()
        sums = [side @ weights + bias for side in positions.inputs(torch.float64)]
        hidden = torch.cat(sums, dim=1).clamp(0, ONE).square()
        bucket = positions.bucket.long()
        outputs = torch.from_numpy(self.outputs).double()[bucket]
        total = (hidden * outputs).sum(dim=1).to(torch.int64)
        total = torch.div(total, ONE, rounding_mode="trunc")
        total = total + torch.from_numpy(self.output_bias)[bucket]
        result = torch.div(total * self.scale, ONE * OUTPUT_ONE, rounding_mode="trunc")
        return result.clamp(-MAX_EVALUATION, MAX_EVALUATION).numpy()

    @property
    def kings(self) -> int:
        return len(self.weights) // INPUTS

    def to_network(self, device: torch.device) -> Network:
        """The rounded weights as numbers again, to measure what rounding costs."""
        network = Network(len(self.bias), self.kings)
        with torch.no_grad():
            weights = torch.from_numpy(self.weights.T / ONE)
            if network.by_king is None:
                network.sums.weight.copy_(weights)
            else:
                network.sums.weight.zero_()
                network.by_king.copy_(weights.view_as(network.by_king))
            network.sums.bias.copy_(torch.from_numpy(self.bias / ONE))
            network.outputs.weight.copy_(torch.from_numpy(self.outputs / OUTPUT_ONE))
            network.outputs.bias.copy_(torch.from_numpy(self.output_bias / (ONE * OUTPUT_ONE)))
        return network.to(device)

    def to_bytes(self) -> bytes:
        text = self.description.encode()
        shape = (len(self.weights), len(self.bias), BUCKETS, ONE, OUTPUT_ONE)
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
        kind = (version, inputs % INPUTS, buckets, one, output_one)
        if kind != (VERSION, 0, BUCKETS, ONE, OUTPUT_ONE) or inputs // INPUTS not in KING_TABLES:
            raise ValueError("a network of another kind")
        (checksum,) = struct.unpack("<I", data[24:28])
        if zlib.crc32(data[28:], zlib.crc32(data[:24])) != checksum:
            raise ValueError("the checksum is wrong")
        description, numbers = data[28 : 28 + length].decode(), data[28 + length :]
        words = np.frombuffer(numbers[: -4 * BUCKETS], dtype="<i2").astype(np.int64)
        weights, bias, outputs = np.split(words, [inputs * width, (inputs + 1) * width])
        return Quantised(
            weights=weights.reshape(inputs, width),
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
