"""The network: as numbers to learn, as whole numbers, and as a file.

It is the twin of the crate `tabiya-nnue`; what the numbers mean is told there (`cargo doc`, module `format`).
"""

import functools
import math
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
ONE = 255  # what 1.0 is in an accumulator
PRODUCT_SHIFT = 9  # from the product of two clipped values of it to what the second layer sees,
PRODUCT_ONE = ONE * ONE >> PRODUCT_SHIFT  # where 1.0 is this
SECOND = 16  # units of the second layer
SECOND_ONE = 256  # what 1.0 is for its weights
SECOND_SHIFT = 5  # from its sums to what the third layer sees,
UNIT = PRODUCT_ONE * SECOND_ONE >> SECOND_SHIFT  # where 1.0 is this
SQUARE_SHIFT = 10  # from the squares of those to what the third layer sees
THIRD = 32  # units of the third layer
THIRD_ONE = 256  # what 1.0 is for its weights and for those of the output
THIRD_SHIFT = 8  # from its sums to what the output sees
# Limits in whole numbers, so that no sum overflows.
ACCUMULATOR_LIMIT = 32767 // 33
SECOND_LIMIT = 127
THIRD_LIMIT = 32767
BIAS_LIMIT = 2**30
MAX_EVALUATION = 20_000
MAGIC = b"TabiyaNN"
VERSION = 2


class Positions:
    """Records unpacked to what a network looks at. It takes several times their memory: make it of a batch."""

    def __init__(self, records: torch.Tensor, kings: int, lesson: torch.Tensor | None = None):
        self.kings = kings
        own = rec.kinds(records)
        # The boards of all sides to move, then those of their opponents: one product for both.
        self.boards = rec.mirrored(torch.cat((own, rec.opponents(own))))
        self.king = rec.king_buckets(self.boards, king_table(kings, records.device)) if kings > 1 else None
        self.bucket = rec.buckets(own, BUCKETS)
        self.score = rec.scores(records)
        self.points = rec.points(records)
        self.lesson = lesson  # what a teacher expects, if there is one

    def inputs(self, dtype: torch.dtype) -> torch.Tensor:
        """Zeros and ones, twice as many rows as positions."""
        return rec.inputs(self.boards, self.king, self.kings, dtype)


@functools.cache
def king_table(kings: int, device: torch.device) -> torch.Tensor:
    """The table on the device: made once, as nothing may be copied there while a CUDA graph is captured."""
    return torch.tensor(KING_TABLES[kings], dtype=torch.uint8, device=device)


class Network(nn.Module):
    """Two times 768 inputs, an accumulator of `width` each; clipping and pairwise multiplication; 16, 32, one unit.

    What follows the accumulators is there eight times, for eight numbers of pieces. With several king buckets, what
    an input adds is the sum of two weights while it learns: one that all buckets share, and one of its own. Rare
    places of the king learn from the common ones that way. The weights of the second layer are such sums, too.
    """

    def __init__(self, width: int = WIDTH, kings: int = KINGS):
        super().__init__()
        self.width = width
        self.kings = kings
        self.first = nn.Linear(INPUTS, width)
        self.by_king = nn.Parameter(torch.zeros(width, kings, INPUTS)) if kings > 1 else None
        self.shared = nn.Parameter(spread(SECOND, width))
        self.by_bucket = nn.Parameter(torch.zeros(BUCKETS, SECOND, width))
        self.second_bias = nn.Parameter(torch.zeros(BUCKETS, SECOND))
        self.third = nn.Parameter(spread(THIRD, 2 * SECOND).repeat(BUCKETS, 1, 1))
        self.third_bias = nn.Parameter(torch.full((BUCKETS, THIRD), 0.1))
        self.output = nn.Parameter(spread(1, THIRD).repeat(BUCKETS, 1))
        self.output_bias = nn.Parameter(torch.zeros(BUCKETS))

    def weights(self) -> torch.Tensor:
        """What each input adds to an accumulator: a row for each of its values, a column for each input."""
        if self.by_king is None:
            return self.first.weight
        return (self.first.weight[:, None, :] + self.by_king).reshape(self.width, self.kings * INPUTS)

    def second(self) -> torch.Tensor:
        """The weights of the second layer, for each number of pieces."""
        return self.shared + self.by_bucket

    def forward(self, inputs: torch.Tensor, bucket: torch.Tensor) -> torch.Tensor:
        """Inputs as `Positions.inputs` gives them: those of the sides to move, then those of their opponents."""
        accumulators = nn.functional.linear(inputs, self.weights(), self.first.bias).clamp(0, 1)
        own, theirs = Rounded.apply(pairwise(accumulators)).chunk(2)
        x = nn.functional.linear(torch.cat((own, theirs), dim=1), self.second().flatten(0, 1))
        # What is left is little work, and worth full precision.
        with torch.autocast(bucket.device.type, enabled=False):
            x = chosen(x.float() + self.second_bias.flatten(), bucket).clamp(-1, 1)
            x = torch.cat([x.clamp(min=0), x.square() * (UNIT / 2**SQUARE_SHIFT)], dim=1)
            x = chosen(nn.functional.linear(x, self.third.flatten(0, 1), self.third_bias.flatten()), bucket)
            return chosen(nn.functional.linear(x.clamp(0, 1), self.output, self.output_bias), bucket)[:, 0]

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps the weights within what the file allows."""

        def within(limit: float, *weights: torch.Tensor) -> None:
            for part in weights:
                part.clamp_(-limit, limit)

        limit = ACCUMULATOR_LIMIT / ONE
        within(limit, self.first.bias)
        if self.by_king is None:
            within(limit, self.first.weight)
        else:
            within(limit / 2, self.first.weight, self.by_king)  # two weights make one
        within(SECOND_LIMIT / SECOND_ONE / 2, self.shared, self.by_bucket)
        within(THIRD_LIMIT / THIRD_ONE, self.third, self.output)
        within(BIAS_LIMIT / (PRODUCT_ONE * SECOND_ONE), self.second_bias)
        within(BIAS_LIMIT / (UNIT * THIRD_ONE), self.third_bias, self.output_bias)


def spread(units: int, inputs: int) -> torch.Tensor:
    """Where the weights of a layer begin."""
    return torch.empty(units, inputs).uniform_(-(inputs**-0.5), inputs**-0.5)


def pairwise(accumulators: torch.Tensor) -> torch.Tensor:
    """Pairwise multiplication: the first half of each clipped accumulator with the other."""
    first, other = accumulators.chunk(2, dim=1)
    return first * other


class Rounded(torch.autograd.Function):
    """Products as the program sees them, rounded down; the gradient passes as if they were not."""

    @staticmethod
    def forward(context, products: torch.Tensor) -> torch.Tensor:
        seen = products.float().mul(ONE * ONE / 2**PRODUCT_SHIFT).floor_().div_(PRODUCT_ONE)
        return seen.to(products.dtype)

    @staticmethod
    def backward(context, gradient: torch.Tensor) -> torch.Tensor:
        return gradient


def chosen(units: torch.Tensor, bucket: torch.Tensor) -> torch.Tensor:
    """Of the units for all numbers of pieces, side by side, those for the number that is there."""
    units = units.view(len(bucket), BUCKETS, -1)
    return units.gather(1, bucket[:, None, None].expand(-1, 1, units.shape[2]))[:, 0]


@dataclass
class Quantised:
    """The network in whole numbers, as the file has it."""

    weights: np.ndarray  # [768 * king buckets, width]
    bias: np.ndarray  # [width]
    second: np.ndarray  # [8, 16, width], the side to move first
    second_bias: np.ndarray  # [8, 16]
    third: np.ndarray  # [8, 32, 2 * 16], values before squares
    third_bias: np.ndarray  # [8, 32]
    output: np.ndarray  # [8, 32]
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
            bias=whole(network.first.bias, ONE),
            second=whole(network.second(), SECOND_ONE),
            second_bias=whole(network.second_bias, PRODUCT_ONE * SECOND_ONE),
            third=whole(network.third, THIRD_ONE),
            third_bias=whole(network.third_bias, UNIT * THIRD_ONE),
            output=whole(network.output, THIRD_ONE),
            output_bias=whole(network.output_bias, UNIT * THIRD_ONE),
            scale=scale,
            description=description,
        )

    def evaluate(self, records: torch.Tensor) -> np.ndarray:
        """Centipawns for each record, exactly as the program computes them.

        The products are made in double precision, which is exact here: no number comes near 2**53.
        """
        positions = Positions(records.cpu(), self.kings)
        bucket = positions.bucket.long()
        parts = self.layout(*self.weights.shape)
        number = {name: torch.from_numpy(getattr(self, name)).double() for name in parts}
        accumulators = positions.inputs(torch.float64) @ number["weights"] + number["bias"]
        own, theirs = pairwise(accumulators.clamp(0, ONE)).chunk(2)
        x = torch.floor(torch.cat((own, theirs), dim=1) / 2**PRODUCT_SHIFT) @ number["second"].flatten(0, 1).T
        x = chosen(x + number["second_bias"].flatten(), bucket)
        x = torch.floor(x / 2**SECOND_SHIFT).clamp(-UNIT, UNIT)
        x = torch.cat([x.clamp(min=0), torch.floor(x.square() / 2**SQUARE_SHIFT)], dim=1)
        x = chosen(x @ number["third"].flatten(0, 1).T + number["third_bias"].flatten(), bucket)
        x = torch.floor(x / 2**THIRD_SHIFT).clamp(0, UNIT)
        x = chosen(x @ number["output"].T + number["output_bias"], bucket)[:, 0].to(torch.int64)
        result = torch.div(x * self.scale, UNIT * THIRD_ONE, rounding_mode="trunc")
        return result.clamp(-MAX_EVALUATION, MAX_EVALUATION).numpy()

    @property
    def kings(self) -> int:
        return len(self.weights) // INPUTS

    def to_network(self, device: torch.device) -> Network:
        """The rounded weights as numbers again, to go on from or to measure what rounding costs."""
        network = Network(len(self.bias), self.kings)
        with torch.no_grad():
            weights = torch.from_numpy(self.weights.T / ONE)
            if network.by_king is None:
                network.first.weight.copy_(weights)
            else:
                weights = weights.view_as(network.by_king)
                network.first.weight.copy_(weights.mean(dim=1))
                network.by_king.copy_(weights - weights.mean(dim=1, keepdim=True))
            second = torch.from_numpy(self.second / SECOND_ONE)
            network.shared.copy_(second.mean(dim=0))
            network.by_bucket.copy_(second - second.mean(dim=0))
            network.first.bias.copy_(torch.from_numpy(self.bias / ONE))
            network.second_bias.copy_(torch.from_numpy(self.second_bias / (PRODUCT_ONE * SECOND_ONE)))
            network.third.copy_(torch.from_numpy(self.third / THIRD_ONE))
            network.third_bias.copy_(torch.from_numpy(self.third_bias / (UNIT * THIRD_ONE)))
            network.output.copy_(torch.from_numpy(self.output / THIRD_ONE))
            network.output_bias.copy_(torch.from_numpy(self.output_bias / (UNIT * THIRD_ONE)))
        return network.to(device)

    @staticmethod
    def layout(inputs: int, width: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The parts of the file: kinds of numbers and shapes."""
        return {
            "weights": ("<i2", (inputs, width)),
            "bias": ("<i2", (width,)),
            "second": ("<i1", (BUCKETS, SECOND, width)),
            "second_bias": ("<i4", (BUCKETS, SECOND)),
            "third": ("<i2", (BUCKETS, THIRD, 2 * SECOND)),
            "third_bias": ("<i4", (BUCKETS, THIRD)),
            "output": ("<i2", (BUCKETS, THIRD)),
            "output_bias": ("<i4", (BUCKETS,)),
        }

    def to_bytes(self) -> bytes:
        text = self.description.encode()
        shape = (len(self.weights), len(self.bias), BUCKETS, SECOND, THIRD)
        header = MAGIC + struct.pack("<8H", VERSION, *shape, self.scale, len(text))
        parts = self.layout(*self.weights.shape).items()
        body = text + b"".join(getattr(self, name).astype(kind).tobytes() for name, (kind, _) in parts)
        return header + struct.pack("<I", zlib.crc32(body, zlib.crc32(header))) + body

    @staticmethod
    def from_bytes(data: bytes) -> "Quantised":
        if data[:8] != MAGIC:
            raise ValueError("not the file of a Tabiya network")
        version, inputs, width, buckets, second, third, scale, length = struct.unpack("<8H", data[8:24])
        kind = (version, inputs % INPUTS, buckets, second, third)
        if kind != (VERSION, 0, BUCKETS, SECOND, THIRD) or inputs // INPUTS not in KING_TABLES:
            raise ValueError("a network of another kind")
        (checksum,) = struct.unpack("<I", data[24:28])
        if zlib.crc32(data[28:], zlib.crc32(data[:24])) != checksum:
            raise ValueError("the checksum is wrong")
        at = 28 + length
        parts = {}
        for name, (numbers, shape) in Quantised.layout(inputs, width).items():
            count = math.prod(shape)
            part = np.frombuffer(data, dtype=numbers, count=count, offset=at).astype(np.int64)
            parts[name] = part.reshape(shape)
            at += count * np.dtype(numbers).itemsize
        return Quantised(**parts, scale=scale, description=data[28 : 28 + length].decode())

    def save(self, path: Path) -> None:
        """Writes the file; whatever happens meanwhile, it is either the old or the new one."""
        new = path.with_name(path.name + ".new")
        new.write_bytes(self.to_bytes())
        new.replace(path)
