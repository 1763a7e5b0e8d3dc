"""Positions to learn from, as `tabiya data export` writes them.

A record is 32 bytes, seen by the side to move (its own pieces are below):

    8   occupied squares, bit 0 is a1
    16  pieces on them from a1 to h8, four bits each, lower half of a byte first:
        pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5; 8 more for the opponent's
    2   score in centipawns, signed
    1   result in half points: 0 lost, 1 drawn, 2 won
    1   moves since the last capture or pawn move
    2   plies since the start of the game
    2   zero
"""

from pathlib import Path

import numpy as np
import torch

SIZE = 32
EMPTY = 12


def load(paths: Path | list[Path], device: torch.device) -> torch.Tensor:
    """All records of a file, or of several, one a row, on the device."""
    paths = [paths] if isinstance(paths, Path) else paths
    sizes = [path.stat().st_size for path in paths]
    for path, size in zip(paths, sizes):
        if size % SIZE:
            raise ValueError(f"{path}: {size} bytes are not a whole number of records")
    if sum(sizes) == 0:
        raise ValueError(f"no records in {', '.join(map(str, paths))}")
    result = torch.empty((sum(sizes) // SIZE, SIZE), dtype=torch.uint8, device=device)
    at = 0
    for path in (path for path, size in zip(paths, sizes) if size):
        records = np.memmap(path, dtype=np.uint8, mode="r").reshape(-1, SIZE)
        # In parts: a copy of everything in memory would be one too many.
        for first in range(0, len(records), 1 << 22):
            part = np.array(records[first : first + (1 << 22)])
            result[at : at + len(part)] = torch.from_numpy(part).to(device)
            at += len(part)
    return result


def kinds(records: torch.Tensor) -> torch.Tensor:
    """What stands on each of the 64 squares: own pawn 0 to king 5, theirs 6 to 11, or nothing (12)."""
    bits = torch.arange(8, dtype=torch.uint8, device=records.device)
    occupied = ((records[:, :8, None] >> bits) & 1).reshape(-1, 64)
    halves = torch.stack((records[:, 8:24] & 15, records[:, 8:24] >> 4), dim=2).reshape(-1, 32)
    place = occupied.cumsum(1, dtype=torch.int64) - 1
    code = halves.gather(1, place.clamp(0, 31))
    kind = (code & 7) + 6 * (code >> 3)
    return torch.where(occupied == 1, kind, torch.full_like(kind, EMPTY))


def opponents(kinds: torch.Tensor) -> torch.Tensor:
    """The same board as the opponent sees it: turned over, own and theirs exchanged."""
    turned = kinds.view(-1, 8, 8).flip(1).reshape(-1, 64)
    exchanged = torch.where(turned >= 6, turned - 6, turned + 6)
    return torch.where(turned == EMPTY, turned, exchanged)


def mirrored(kinds: torch.Tensor) -> torch.Tensor:
    """The board in a mirror, left for right, if one's own king is on the right half."""
    board = kinds.view(-1, 8, 8)
    king_on_right = (board[:, :, 4:] == 5).any(dim=2).any(dim=1)
    return torch.where(king_on_right[:, None, None], board.flip(2), board).reshape(-1, 64)


def king_buckets(mirrored: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Which set of weights a side looks through, by where its king stands on the mirrored board."""
    square = (mirrored == 5).to(torch.uint8).argmax(dim=1)
    place = 4 * (square // 8) + square % 4
    return table[place]


def inputs(mirrored: torch.Tensor, king: torch.Tensor | None, kings: int, dtype: torch.dtype) -> torch.Tensor:
    """The inputs of a side as zeros and ones: 768 for each king bucket, all but one bucket empty."""
    kind = torch.arange(EMPTY, dtype=mirrored.dtype, device=mirrored.device)
    board = (mirrored[:, None, :] == kind[:, None]).to(dtype).reshape(-1, 1, 64 * EMPTY)
    if kings == 1:
        return board[:, 0]
    bucket = torch.arange(kings, dtype=king.dtype, device=king.device)
    return (board * (king[:, None] == bucket).to(dtype)[:, :, None]).reshape(-1, kings * 64 * EMPTY)


def buckets(kinds: torch.Tensor, count: int) -> torch.Tensor:
    """Which of the later layers count: by the number of pieces."""
    pieces = (kinds != EMPTY).sum(dim=1)
    return ((pieces - 2) // 4).clamp(0, count - 1)


def scores(records: torch.Tensor) -> torch.Tensor:
    """What the engine thought, in centipawns."""
    low, high = records[:, 24].to(torch.int32), records[:, 25].to(torch.int32)
    score = low + 256 * high
    return torch.where(score >= 1 << 15, score - (1 << 16), score).to(torch.float32)


def points(records: torch.Tensor) -> torch.Tensor:
    """What the side to move got in the end: 0, a half or 1."""
    return records[:, 26].to(torch.float32) / 2


def fens(records: torch.Tensor) -> list[str]:
    """The positions as text, with the side to move as White."""
    letters = np.array(list("PNBRQKpnbrqk."))
    result = []
    for board in letters[kinds(records).cpu().numpy()].reshape(-1, 8, 8):
        text = "/".join("".join(rank) for rank in board[::-1])
        for run in range(8, 0, -1):
            text = text.replace("." * run, str(run))
        result.append(f"{text} w - - 0 1")
    return result
