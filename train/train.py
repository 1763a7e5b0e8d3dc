#!/usr/bin/env python3
"""Trains networks on records of positions and writes them as files that Tabiya reads.

    train/train.py --data data/records --out data/networks --minutes 8
    train/train.py --data data/records --out data/networks --minutes 9 \\
        --setting name=a,blend=0.9 --setting name=b,blend=1

The time is shared among the settings. The last lines are a table of them, with the loss on games that
were held out.
"""

import argparse
import json
import math
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import torch

import records as rec
from network import KINGS, WIDTH, Network, Positions, Quantised


@dataclass
class Setting:
    """What can be tried. On the command line: name=value, separated by commas."""

    name: str = "network"
    width: int = WIDTH
    kings: int = KINGS
    batch: int = 16384
    rate: float = 1e-3  # the learning rate at the start; it falls along a cosine
    last_rate: float = 1e-5
    decay: float = 0.01  # AdamW's weight decay
    king_decay: float = 0.5  # the same, of what each king bucket adds: much, or buckets learn games by heart
    blend: float = 0.9  # how much the score counts; the rest is the result of the game
    scale: int = 220  # the score in centipawns that is an expected result of 73 %
    power: float = 2.0  # the loss is the difference of expected results to this power
    seed: int = 1
    start: str = ""  # the file of a network to go on from
    teacher: str = ""  # the file of a network, mostly a larger one, to learn from beside the games
    lesson: float = 0.5  # how much the teacher counts

    @staticmethod
    def parse(text: str) -> "Setting":
        kinds = {field.name: type(field.default) for field in fields(Setting)}
        values = {}
        for part in filter(None, text.split(",")):
            name, _, value = part.partition("=")
            if name not in kinds:
                raise argparse.ArgumentTypeError(f"no setting {name!r}; there are {', '.join(kinds)}")
            try:
                values[name] = kinds[name](value)
            except ValueError:
                raise argparse.ArgumentTypeError(f"{name}: {value!r} is no {kinds[name].__name__}") from None
        return Setting(**values)


def expected_results(network: Network, batch: Positions) -> torch.Tensor:
    on_gpu = batch.score.device.type == "cuda"
    dtype = torch.bfloat16 if on_gpu else torch.float32  # zeros and ones are exact in both
    with torch.autocast(batch.score.device.type, dtype=torch.bfloat16, enabled=on_gpu):
        output = network(*batch.inputs(dtype), batch.bucket.long())
    return torch.sigmoid(output.float())


def loss_of(network: Network, batch: Positions, setting: Setting) -> torch.Tensor:
    by_score = torch.sigmoid(batch.score / setting.scale)
    target = setting.blend * by_score + (1 - setting.blend) * batch.points
    if batch.lesson is not None:
        target = setting.lesson * batch.lesson + (1 - setting.lesson) * target
    return (expected_results(network, batch) - target).abs().pow(setting.power).mean()


def load(file: str, device: torch.device) -> Network:
    return Quantised.from_bytes(Path(file).read_bytes()).to_network(device)


@torch.no_grad()
def lessons(teacher: Network, records: torch.Tensor) -> torch.Tensor:
    """What the teacher expects of each position."""
    parts = (Positions(part, teacher.kings) for part in records.split(1 << 16))
    return torch.cat([expected_results(teacher, part) for part in parts])


@torch.no_grad()
def held_out_loss(network: Network, held_out: Positions, setting: Setting) -> float:
    parts = [held_out.pick(slice(first, first + 65536)) for first in range(0, len(held_out), 65536)]
    total = sum(loss_of(network, part, setting).item() * len(part) for part in parts)
    return total / len(held_out)


def batches(data: Positions, size: int):
    """Batches without end; each record once before any comes again."""
    size = min(size, len(data))
    while True:
        order = torch.randperm(len(data), device=data.score.device)
        for chosen in order[: len(data) // size * size].split(size):
            yield data.pick(chosen)


@dataclass
class Progress:
    """How far a training is, by time or by positions."""

    seconds: float
    positions: int
    start: float
    seen: int = 0

    def share(self) -> float:
        if self.positions:
            return min(1.0, self.seen / self.positions)
        return min(1.0, (time.monotonic() - self.start) / self.seconds)


def rate_at(share: float, setting: Setting) -> float:
    """A short way up, then half a cosine down."""
    warm = min(1.0, (share + 1e-4) / 0.01)
    return warm * (
        setting.last_rate + (setting.rate - setting.last_rate) * 0.5 * (1 + math.cos(math.pi * share))
    )


def parameter_groups(network: Network, setting: Setting) -> list[dict]:
    """The numbers to learn, each kind with its weight decay."""
    shared = [weights for weights in network.parameters() if weights is not network.by_king]
    groups = [{"params": shared, "weight_decay": setting.decay}]
    if network.by_king is not None:
        groups.append({"params": [network.by_king], "weight_decay": setting.king_decay})
    return groups


def train(setting: Setting, data: Positions, held_out: Positions, progress: Progress, report: float):
    """Trains one network; gives it with a line for the table."""
    torch.manual_seed(setting.seed)
    device = data.score.device
    network = load(setting.start, device) if setting.start else Network(setting.width, setting.kings).to(device)
    optimiser = torch.optim.AdamW(parameter_groups(network, setting), lr=setting.rate)
    running = torch.zeros((), device=device)
    steps, told = 0, time.monotonic()
    for batch in batches(data, setting.batch):
        share = progress.share()
        if share >= 1 and progress.seen:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate_at(share, setting)
        loss = loss_of(network, batch, setting)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        network.clip()
        progress.seen += len(batch)
        running += loss.detach()
        steps += 1
        if time.monotonic() - told >= report:
            loss_now = held_out_loss(network, held_out, setting)
            speed = progress.seen / (time.monotonic() - progress.start)
            print(
                f"{setting.name}: {100 * share:3.0f} %, {progress.seen / 1e6:.1f} M positions,"
                f" {speed / 1e6:.2f} M/s, loss {running.item() / steps:.6f}, held out {loss_now:.6f}",
                flush=True,
            )
            running.zero_()
            steps, told = 0, time.monotonic()
    return network


def finish(network: Network, setting: Setting, data, held_out, progress: Progress, out: Path) -> dict:
    """Rounds, measures and saves a network."""
    plain = held_out_loss(network, held_out, setting)
    facts = {"records": len(data), "seen": progress.seen, **asdict(setting)}
    facts |= {name: Path(facts[name]).name for name in ("start", "teacher")}  # whoever reads it has other folders
    quantised = Quantised.of(network, setting.scale, f"trained by train/train.py: {json.dumps(facts)}")
    rounded = held_out_loss(quantised.to_network(data.score.device), held_out, setting)
    path = out / f"{setting.name}.nnue"
    quantised.save(path)
    return {"held_out": plain, "held_out_rounded": rounded, "file": str(path), **facts}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with train.records and held-out.records")
    parser.add_argument("--out", type=Path, required=True, help="folder for the networks")
    until = parser.add_mutually_exclusive_group(required=True)
    until.add_argument("--minutes", type=float, help="time for all settings together")
    until.add_argument("--positions", type=int, help="positions for each setting, repeated ones counted")
    parser.add_argument(
        "--setting", type=Setting.parse, action="append", help="name=a,blend=0.7,rate=0.001,… may be repeated"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--report", type=float, default=15, help="seconds between progress lines")
    arguments = parser.parse_args()

    settings = arguments.setting or [Setting()]
    if len({setting.name for setting in settings}) < len(settings):
        parser.error("each setting needs a name of its own")
    device = torch.device(arguments.device)
    for setting in filter(lambda setting: setting.start, settings):
        first = load(setting.start, device)
        setting.width, setting.kings = first.width, first.kings
    start = time.monotonic()
    records = [rec.load(arguments.data / f"{name}.records", device) for name in ("train", "held-out")]
    print(f"{len(records[0])} records, {len(records[1])} held out, on {device}", flush=True)
    arguments.out.mkdir(parents=True, exist_ok=True)

    results = []
    for index, setting in enumerate(settings):
        now = time.monotonic()
        seconds = 0.0
        if arguments.minutes:
            # What is left, in equal shares.
            seconds = max(1.0, (60 * arguments.minutes - (now - start)) / (len(settings) - index))
        if index == 0 or setting.kings != data.kings:
            data, held_out = (Positions(part, setting.kings) for part in records)
        # Only for what is learned: the loss on held-out games is that of the games themselves.
        data.lesson = lessons(load(setting.teacher, device), records[0]) if setting.teacher else None
        progress = Progress(seconds, arguments.positions or 0, now)
        network = train(setting, data, held_out, progress, arguments.report)
        results.append(finish(network, setting, data, held_out, progress, arguments.out))
    (arguments.out / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    print("\nname                 held out   rounded    M positions")
    for result in results:
        print(
            f"{result['name']:20} {result['held_out']:.6f}   {result['held_out_rounded']:.6f}"
            f"   {result['seen'] / 1e6:.1f}"
        )


if __name__ == "__main__":
    main()
