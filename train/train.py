#!/usr/bin/env python3
"""Trains networks on records of positions and writes them as files that Tabiya reads.

    train/train.py --data data/records --out data/networks --minutes 8
    train/train.py --data data/records --out data/networks --minutes 9 \\
        --setting name=a,blend=0.9 --setting name=b,blend=1

The time is shared among the settings. The last lines are a table of them, with the loss on games that
were held out. Several folders can be mixed: here, three positions in ten are old ones:

    train/train.py --data data/new --data data/old:0.3 --out data/networks --minutes 8 --epochs 20
"""

import argparse
import functools
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
    last_blend: float = -1.0  # the same at the end, along a line; below 0: as `blend`
    scale: int = 220  # the score in centipawns that is an expected result of 73 %
    power: float = 2.0  # the loss is the difference of expected results to this power
    seed: int = 1
    start: str = ""  # the file of a network to go on from
    teacher: str = ""  # distillation: the file of a network, mostly a larger one, to learn from beside the games
    lesson: float = 0.5  # how much the teacher counts

    def __post_init__(self):
        if self.last_blend < 0:
            self.last_blend = self.blend

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
    device = batch.score.device.type
    on_gpu = device == "cuda"
    dtype = torch.bfloat16 if on_gpu else torch.float32  # zeros and ones are exact in both
    with torch.autocast(device, dtype=torch.bfloat16, enabled=on_gpu, cache_enabled=False):
        output = network(batch.inputs(dtype), batch.bucket)
    return torch.sigmoid(output.float())


def loss_of(network: Network, batch: Positions, setting: Setting, blend: float | torch.Tensor) -> torch.Tensor:
    by_score = torch.sigmoid(batch.score / setting.scale)
    target = blend * by_score + (1 - blend) * batch.points
    if batch.lesson is not None:
        target = setting.lesson * batch.lesson + (1 - setting.lesson) * target
    return (expected_results(network, batch) - target).abs().pow(setting.power).mean()


def load(file: str, device: torch.device) -> Network:
    return Quantised.from_bytes(Path(file).read_bytes()).to_network(device)


@torch.no_grad()
def lessons(teacher: Network, records: torch.Tensor) -> torch.Tensor:
    """What the teacher expects of each position."""
    result = torch.empty(len(records), device=records.device)
    for into, part in zip(result.split(1 << 16), records.split(1 << 16)):
        into.copy_(expected_results(teacher, Positions(part, teacher.kings)))
    return result


@torch.no_grad()
def held_out_loss(network: Network, held_out: torch.Tensor, setting: Setting, blend: float | None = None) -> float:
    """The loss on records held out, with the blend of the end of the training if none is given."""
    blend = setting.last_blend if blend is None else blend
    total = torch.zeros((), dtype=torch.float64, device=held_out.device)
    for part in held_out.split(65536):
        total += loss_of(network, Positions(part, network.kings), setting, blend) * len(part)
    return total.item() / len(held_out)


@dataclass
class Source:
    """Some of the records, one after the other, and how many of them an epoch takes."""

    first: int
    count: int
    taken: int
    left: torch.Tensor | None = None  # of the shuffled ones, those that have not been seen

    def take(self, device: torch.device) -> torch.Tensor:
        """The next of them, in a random order; each once before any comes again."""
        parts, wanted = [], self.taken
        while wanted:
            if self.left is None or not len(self.left):
                self.left = torch.randperm(self.count, dtype=torch.int32, device=device) + self.first
            parts.append(self.left[:wanted])
            self.left = self.left[wanted:]
            wanted -= len(parts[-1])
        return torch.cat(parts) if len(parts) > 1 else parts[0]


class Data:
    """The records to learn from, packed as in their files, in the memory of the device."""

    def __init__(self, records: torch.Tensor, sources: list[Source] | None = None):
        self.records = records
        self.sources = sources or [Source(0, len(records), len(records))]
        self.epoch = sum(source.taken for source in self.sources)
        self.lesson = None  # what a teacher expects of each

    @property
    def device(self) -> torch.device:
        return self.records.device

    def order(self) -> torch.Tensor:
        """Which records the next epoch sees, in its order."""
        parts = [source.take(self.device) for source in self.sources]
        if len(parts) == 1:
            return parts[0]
        order = torch.cat(parts)
        return order[torch.randperm(len(order), device=self.device)]

    def pick(self, chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Some records, and what a teacher expects of them."""
        lesson = None if self.lesson is None else self.lesson.index_select(0, chosen)
        return self.records.index_select(0, chosen), lesson


@dataclass
class Folder:
    """Where records are, or folders with them; with a share, that much of every epoch is from there."""

    path: Path
    share: float | None = None

    def files(self, name: str) -> list[Path]:
        files = [self.path / name] if (self.path / name).exists() else sorted(self.path.glob(f"*/{name}"))
        if not files:
            raise ValueError(f"no {name} in {self.path}")
        return files

    @staticmethod
    def parse(text: str) -> "Folder":
        path, colon, share = text.rpartition(":")
        if not colon:
            return Folder(Path(text))
        try:
            folder = Folder(Path(path), float(share))
        except ValueError:
            return Folder(Path(text))
        if not 0 < folder.share < 1:
            raise argparse.ArgumentTypeError(f"{text}: a share is between 0 and 1")
        return folder


def read(folders: list[Folder], device: torch.device) -> tuple[Data, dict[str, torch.Tensor]]:
    """What to learn from, and what is held out.

    Folders without a share are seen once an epoch. If all have a share, an epoch is as long as all records. Under ""
    are the records held out of the folders without a share, or of all if all have one.
    """
    whole = [folder for folder in folders if folder.share is None]
    mixed = [folder for folder in folders if folder.share is not None]
    rest = 1 - sum(folder.share for folder in mixed)
    if whole and rest <= 0 or not whole and abs(rest) > 1e-6:
        raise ValueError("shares must make one, or less than one if there are folders without a share")

    def files(group: list[Folder], name: str) -> list[Path]:
        return [file for folder in group for file in folder.files(name)]

    groups = [whole] * bool(whole) + [[folder] for folder in mixed]
    names = [files(group, "train.records") for group in groups]
    counts = [sum(file.stat().st_size for file in part) // rec.SIZE for part in names]
    if min(counts) == 0:
        raise ValueError("a folder has no records to learn from")
    records = rec.load([file for part in names for file in part], device)
    epoch = counts[0] / rest if whole else len(records)
    sources, first = [], 0
    for group, count in zip(groups, counts):
        share = group[0].share
        sources.append(Source(first, count, count if share is None else max(1, round(share * epoch))))
        first += count
    held_out = {"": rec.load(files(whole or mixed, "held-out.records"), device)}
    held_out |= {str(folder.path): rec.load(folder.files("held-out.records"), device) for folder in mixed}
    return Data(records, sources), held_out


@dataclass
class Progress:
    """How far a training is, by time or by positions; by what is further if both are limited."""

    seconds: float
    positions: int
    start: float
    seen: int = 0

    def begin(self) -> None:
        """Getting ready is done: what is left of the time is for learning, from the slow beginning on."""
        now = time.monotonic()
        if self.seconds:
            self.seconds = max(1.0, self.seconds - (now - self.start))
        self.start = now

    def share(self) -> float:
        by_positions = self.seen / self.positions if self.positions else 0.0
        by_time = (time.monotonic() - self.start) / self.seconds if self.seconds else 0.0
        return min(1.0, max(by_positions, by_time))


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


class Trainer:
    """A network that learns, step by step.

    All that a step needs is on the device, the learning rate and the place in the order of records too. On a GPU the
    first steps run one kernel after the other; then a step is captured as a CUDA graph and replayed, since launching
    hundreds of kernels takes the processor longer than running them takes the GPU. The compiler makes a few of them.
    """

    WARM_UP = 3  # steps before the capture
    AHEAD = 64  # steps that may be launched before they are done

    def __init__(self, setting: Setting, data: Data, graph: bool = True, compiled: bool = True):
        torch.manual_seed(setting.seed)
        self.setting, self.data = setting, data
        device = data.device
        on_gpu = device.type == "cuda"
        start = setting.start
        self.network = load(start, device) if start else Network(setting.width, setting.kings).to(device)
        self.optimiser = torch.optim.AdamW(
            parameter_groups(self.network, setting),
            lr=torch.tensor(setting.rate, device=device),
            **({"capturable": True, "fused": True} if on_gpu else {}),
        )
        self.batch = min(setting.batch, data.epoch)
        self.order = torch.zeros(data.epoch, dtype=torch.int32, device=device)
        self.within = torch.arange(self.batch, device=device)
        self.offset = torch.zeros((), dtype=torch.int64, device=device)
        self.blend = torch.tensor(setting.blend, device=device)
        self.loss = torch.zeros((), device=device)  # the sum since it was last asked for
        self.steps = self.summed = 0
        self.use_graph = graph and on_gpu
        self.stream = torch.cuda.Stream(device) if self.use_graph else None
        self.graph = None
        self.loss_of_batch = self.forward
        if compiled and on_gpu and self.network.kings == 1:  # the table of king buckets would be copied at every step
            torch._dynamo.reset()  # there is a limit to how often one function is compiled
            self.loss_of_batch = functools.partial(torch.compile(Trainer.forward, dynamic=False), self)

    @property
    def ready(self) -> bool:
        """Nothing is left to compile or to capture."""
        return self.steps > (self.WARM_UP if self.use_graph else 0)

    def body(self) -> None:
        """One step, without a word from the processor."""
        chosen = self.order.index_select(0, self.within + self.offset)
        self.offset += self.batch
        loss = self.loss_of_batch(*self.data.pick(chosen))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.network.clip()
        self.loss += loss.detach()

    def forward(self, records: torch.Tensor, lesson: torch.Tensor | None) -> torch.Tensor:
        """The loss of a batch."""
        return loss_of(self.network, Positions(records, self.network.kings, lesson), self.setting, self.blend)

    def first(self) -> None:
        """The first step. Where the compiler does not work, training goes on without it."""
        try:
            self.body()
        except Exception as error:
            if self.loss_of_batch == self.forward:
                raise
            print(f"not compiled, which is slower: {type(error).__name__}: {str(error).strip()[:300]}", flush=True)
            self.loss_of_batch = self.forward
            self.offset.zero_()
            self.body()

    def step(self, rate: float, blend: float) -> None:
        if self.steps % (self.data.epoch // self.batch) == 0:
            self.order.copy_(self.data.order())
            self.offset.zero_()
        for group in self.optimiser.param_groups:
            group["lr"].fill_(rate)
        self.blend.fill_(blend)
        run = self.body if self.steps else self.first
        if not self.use_graph:
            run()
        elif self.steps < self.WARM_UP:
            # On another stream: what autograd remembers of streams must not be the default one's.
            self.stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.stream):
                run()
            torch.cuda.current_stream().wait_stream(self.stream)
        else:
            if self.graph is None:
                self.graph = torch.cuda.CUDAGraph()
                self.optimiser.zero_grad(set_to_none=True)
                with torch.cuda.graph(self.graph, stream=self.stream):
                    self.body()
            self.graph.replay()
        self.steps += 1
        self.summed += 1
        if self.stream is not None and self.steps % self.AHEAD == 0:
            torch.cuda.synchronize()  # the clock decides when to end, and must not look too early

    def mean_loss(self) -> float:
        """Of the steps since it was last asked for."""
        result = self.loss.item() / max(1, self.summed)
        self.loss.zero_()
        self.summed = 0
        return result


def train(
    setting: Setting,
    data: Data,
    held_out: torch.Tensor,
    progress: Progress,
    report: float,
    log: Path | None = None,
    **how: bool,
) -> Network:
    """Trains one network."""
    trainer = Trainer(setting, data, **how)
    told, begun = time.monotonic(), False
    while (share := progress.share() if trainer.ready else 0.0) < 1 or not progress.seen:
        rate, blend = rate_at(share, setting), setting.blend + (setting.last_blend - setting.blend) * share
        trainer.step(rate, blend)
        progress.seen += trainer.batch
        if not begun and trainer.ready:
            progress.begin()
            told, begun = progress.start, True
        if begun and time.monotonic() - told >= report:
            facts = {
                "setting": setting.name,
                "share": share,
                "seen": progress.seen,
                "epochs": progress.seen / data.epoch,
                "rate": rate,
                "blend": blend,
                "loss": trainer.mean_loss(),
                "held_out": held_out_loss(trainer.network, held_out, setting),
                "per_second": progress.seen / (time.monotonic() - progress.start),
            }
            print(
                f"{setting.name}: {100 * share:3.0f} %, {facts['seen'] / 1e6:.1f} M positions,"
                f" {facts['epochs']:.2f} epochs, {facts['per_second'] / 1e6:.2f} M/s,"
                f" loss {facts['loss']:.6f}, held out {facts['held_out']:.6f}",
                flush=True,
            )
            write(log, facts)
            told = time.monotonic()
    return trainer.network


def write(log: Path | None, facts: dict) -> None:
    """Adds a line to the log."""
    if log is not None:
        with log.open("a") as file:
            file.write(json.dumps(facts) + "\n")


def finish(
    network: Network, setting: Setting, data: Data, held_out: dict[str, torch.Tensor], progress: Progress, out: Path
) -> dict:
    """Rounds, measures and saves a network."""
    facts = {
        "records": len(data.records),
        "seen": progress.seen,
        "epochs": round(progress.seen / data.epoch, 2),
        **asdict(setting),
    }
    facts |= {name: Path(facts[name]).name for name in ("start", "teacher")}  # whoever reads it has other folders
    quantised = Quantised.of(network, setting.scale, f"trained by train/train.py: {json.dumps(facts)}")
    rounded = quantised.to_network(data.device)
    results = {
        "held_out": held_out_loss(network, held_out[""], setting),
        "held_out_rounded": held_out_loss(rounded, held_out[""], setting),
        # These compare between settings of different blends.
        "held_out_score": held_out_loss(rounded, held_out[""], setting, blend=1.0),
        "held_out_result": held_out_loss(rounded, held_out[""], setting, blend=0.0),
        "held_out_shares": {name: held_out_loss(rounded, part, setting) for name, part in held_out.items() if name},
        "seconds": time.monotonic() - progress.start,
    }
    path = out / f"{setting.name}.nnue"
    quantised.save(path)
    return {**results, "file": str(path), **facts}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Folder.parse,
        action="append",
        required=True,
        metavar="FOLDER[:SHARE]",
        help="folder with train.records and held-out.records, or of such folders; may be repeated. With a share, that"
        " much of every epoch is from there; folders without one are seen whole",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the networks")
    parser.add_argument("--minutes", type=float, help="time for all settings together")
    parser.add_argument("--epochs", type=float, help="for each setting; with --minutes, what is reached first ends it")
    parser.add_argument("--positions", type=int, help="the same in positions, repeated ones counted")
    parser.add_argument(
        "--setting", type=Setting.parse, action="append", help="name=a,blend=0.7,rate=0.001,… may be repeated"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--report", type=float, default=15, help="seconds between progress lines")
    parser.add_argument("--log", type=Path, help="file to add a line of JSON to for each of them, and for each result")
    parser.add_argument("--no-graph", action="store_true", help="on a GPU, launch each kernel by itself, to compare")
    parser.add_argument("--no-compile", action="store_true", help="on a GPU, do without the compiler, to compare")
    arguments = parser.parse_args()

    settings = arguments.setting or [Setting()]
    if len({setting.name for setting in settings}) < len(settings):
        parser.error("each setting needs a name of its own")
    if not (arguments.minutes or arguments.epochs or arguments.positions):
        parser.error("say how long: --minutes, --epochs or --positions")
    device = torch.device(arguments.device)
    for setting in filter(lambda setting: setting.start, settings):
        first = load(setting.start, device)
        setting.width, setting.kings = first.width, first.kings
    start = time.monotonic()
    try:
        data, held_out = read(arguments.data, device)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    limits = [arguments.positions or 0, round((arguments.epochs or 0) * data.epoch)]
    positions = min(filter(None, limits), default=0)
    print(
        f"{len(data.records)} records, {data.epoch} an epoch, {len(held_out[''])} held out, on {device}", flush=True
    )
    arguments.out.mkdir(parents=True, exist_ok=True)

    results = []
    for index, setting in enumerate(settings):
        now = time.monotonic()
        seconds = 0.0
        if arguments.minutes:
            # What is left, in equal shares.
            seconds = max(1.0, (60 * arguments.minutes - (now - start)) / (len(settings) - index))
        # Only for what is learned: the loss on held-out games is that of the games themselves.
        data.lesson = lessons(load(setting.teacher, device), data.records) if setting.teacher else None
        progress = Progress(seconds, positions, now)
        how = {"graph": not arguments.no_graph, "compiled": not arguments.no_compile}
        network = train(setting, data, held_out[""], progress, arguments.report, arguments.log, **how)
        results.append(finish(network, setting, data, held_out, progress, arguments.out))
        write(arguments.log, {"result": results[-1]})
    new = arguments.out / "results.json.new"
    new.write_text(json.dumps(results, indent=2) + "\n")
    new.replace(arguments.out / "results.json")
    print("\nname                 held out   rounded    M positions   epochs")
    for result in results:
        print(
            f"{result['name']:20} {result['held_out']:.6f}   {result['held_out_rounded']:.6f}"
            f"   {result['seen'] / 1e6:11.1f}   {result['epochs']:6.2f}"
        )


if __name__ == "__main__":
    main()
