"""The path from games to a network, at small size. Needs the program; see `train/test`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import records as rec
import train
import verify
from network import BUCKETS, INPUTS, KINGS, SECOND, THIRD, WIDTH, Network, Positions, Quantised

PROGRAM = os.environ["TABIYA"]
EVALUATE = [PROGRAM, "data", "evaluate"]
CPU = torch.device("cpu")
HERE = Path(__file__).parent


def tabiya(*arguments: str, **options) -> str:
    command = [PROGRAM, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def play(folder: Path, games: int, seed: int) -> None:
    """Lets the engine play games, and picks the positions to learn from."""
    played, records = str(folder / "games"), str(folder / "records")
    tabiya("datagen", "--out", played, "--games", str(games), "--nodes", "200", "--threads", "2", "--seed", str(seed))
    tabiya("data", "check", played)
    tabiya("data", "export", "--out", records, played)


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """Records of games that the engine has just played."""
    folder = tmp_path_factory.mktemp("data")
    play(folder, 400, 1)
    return folder


@pytest.fixture(scope="session")
def others(tmp_path_factory) -> torch.Tensor:
    """Positions of other games, enough of them to tell knowledge from luck."""
    folder = tmp_path_factory.mktemp("others")
    play(folder, 60, 2)
    return rec.load(folder / "records" / "train.records", CPU)


@pytest.fixture(scope="session")
def positions(folder) -> torch.Tensor:
    return rec.load(folder / "records" / "train.records", CPU)


def random_network(seed: int) -> Quantised:
    generator = np.random.default_rng(seed)

    def numbers(limit: int, *shape: int) -> np.ndarray:
        return generator.integers(-limit, limit + 1, shape)

    return Quantised(
        weights=numbers(90, INPUTS, WIDTH),
        bias=numbers(90, WIDTH),
        second=numbers(100, BUCKETS, SECOND, WIDTH),
        second_bias=numbers(4000, BUCKETS, SECOND),
        third=numbers(300, BUCKETS, THIRD, 2 * SECOND),
        third_bias=numbers(160_000, BUCKETS, THIRD),
        output=numbers(300, BUCKETS, THIRD),
        output_bias=numbers(20_000, BUCKETS),
        scale=400,
        description="random",
    )


def test_the_program_and_the_trainer_agree(positions, tmp_path):
    assert len(positions) >= 10_000
    path = tmp_path / "random.nnue"
    random_network(1).save(path)
    assert verify.differences(path, positions[:12_000], EVALUATE) == []


def test_a_difference_would_be_seen(positions, tmp_path, monkeypatch):
    path = tmp_path / "random.nnue"
    random_network(2).save(path)
    monkeypatch.setattr(rec, "mirrored", lambda kinds: kinds)
    assert verify.differences(path, positions[:500], EVALUATE) != []


def test_damaged_and_foreign_files_are_refused(tmp_path):
    data = bytearray(random_network(3).to_bytes())
    data[5000] ^= 1
    path = tmp_path / "damaged.nnue"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="checksum"):
        Quantised.from_bytes(bytes(data))
    with pytest.raises(subprocess.CalledProcessError) as error:
        tabiya("data", "evaluate", "--network", str(path), input="")
    assert "its checksum is wrong" in error.value.stderr

    narrow = Quantised.of(Network(32), 400, "narrow")
    narrow.save(path)
    with pytest.raises(subprocess.CalledProcessError) as error:
        tabiya("data", "evaluate", "--network", str(path), input="")
    assert f"the network has width 32; this program is made for {WIDTH}" in error.value.stderr


def test_files_survive_the_way():
    network = random_network(4)
    assert Quantised.from_bytes(network.to_bytes()).to_bytes() == network.to_bytes()


def test_weights_beyond_the_limits_are_clipped(positions, tmp_path):
    network = Network(WIDTH)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1000)
    path = tmp_path / "large.nnue"
    Quantised.of(network, 200, "large").save(path)
    assert verify.differences(path, positions[:500], EVALUATE) == []


def lively_network(width: int, kings: int = KINGS) -> Network:
    """A network without knowledge, but with opinions."""
    network = Network(width, kings)
    torch.nn.init.uniform_(network.first.weight, -0.2, 0.2)
    torch.nn.init.uniform_(network.shared, -0.2, 0.2)
    torch.nn.init.uniform_(network.by_bucket, -0.1, 0.1)
    torch.nn.init.uniform_(network.output, -2, 2)
    return network


def test_the_rounded_network_is_near_the_one_that_learns(positions):
    torch.manual_seed(3)
    network = lively_network(64)
    quantised = Quantised.of(network, 400, "")
    some = Positions(positions[:2000], 1)
    with torch.no_grad():
        output = network(some.inputs(torch.float32), some.bucket) * 400
    exact = quantised.evaluate(positions[:2000])
    assert exact.std() > 20, exact.std()
    assert np.abs(output.numpy() - exact).max() < 47
    assert np.abs(output.numpy() - exact).mean() < 0.1 * exact.std()
    assert np.corrcoef(output.numpy(), exact)[0, 1] > 0.99


def test_king_buckets_have_weights_of_their_own(positions):
    torch.manual_seed(5)
    network = lively_network(64, kings=4)
    torch.nn.init.uniform_(network.by_king, -0.2, 0.2)
    quantised = Quantised.from_bytes(Quantised.of(network, 400, "").to_bytes())
    some = Positions(positions[:2000], 4)
    assert len(some.king.unique()) == 4
    with torch.no_grad():
        output = network(some.inputs(torch.float32), some.bucket) * 400
        some.king.zero_()
        blind = network(some.inputs(torch.float32), some.bucket) * 400
    exact = quantised.evaluate(positions[:2000])
    assert np.corrcoef(output.numpy(), exact)[0, 1] > 0.95
    assert np.abs(output.numpy() - exact).max() < np.abs(blind.numpy() - exact).max()


def test_training_learns_and_several_settings_run(folder, positions, others, tmp_path):
    out = tmp_path / "networks"
    command = [sys.executable, HERE / "train.py", "--data", folder / "records", "--out", out]
    command += ["--positions", "150000", "--device", "cpu", "--report", "5"]
    command += ["--setting", "name=small,width=32,batch=512,rate=0.005,blend=1"]
    command += ["--setting", f"name=full,width={WIDTH},batch=1024,rate=0.002,blend=1"]
    subprocess.run(command, check=True)

    setting = train.Setting.parse("width=32,blend=1")
    small = Quantised.from_bytes((out / "small.nnue").read_bytes())
    learnt = train.held_out_loss(small.to_network(CPU), others, setting)
    ignorant = train.held_out_loss(Network(32), others, setting)
    assert learnt < 0.6 * ignorant, (learnt, ignorant)

    # The program reads the other, and finds good what the engine found good after a search.
    full = out / "full.nnue"
    assert verify.differences(full, positions[:3000], EVALUATE) == []
    lines = tabiya("data", "evaluate", "--network", str(full), input="\n".join(rec.fens(others)))
    evaluations = np.array([int(line) for line in lines.split()])
    agreement = np.corrcoef(evaluations.clip(-600, 600), rec.scores(others).numpy().clip(-600, 600))
    assert agreement[0, 1] > 0.5, agreement


def test_a_network_can_go_on_from_another(folder, tmp_path):
    torch.manual_seed(7)
    first = tmp_path / "first.nnue"
    Quantised.of(lively_network(32, kings=4), 220, "first").save(first)
    command = [sys.executable, HERE / "train.py", "--data", folder / "records", "--out", tmp_path]
    command += ["--positions", "1", "--device", "cpu", "--setting"]
    subprocess.run([*command, f"name=same,start={first},rate=0,last_rate=0"], check=True)
    before, after = (Quantised.from_bytes((tmp_path / f"{name}.nnue").read_bytes()) for name in ("first", "same"))
    assert before.weights.shape == (4 * INPUTS, 32)
    for name in Quantised.layout(*before.weights.shape):
        assert (getattr(before, name) == getattr(after, name)).all(), name
    assert '"width": 32' in after.description


def test_a_student_learns_what_its_teacher_thinks(positions, others):
    torch.manual_seed(8)
    teacher = lively_network(48, kings=4)  # knows nothing of chess: only its own opinion can be learnt from it
    torch.nn.init.uniform_(teacher.by_king, -0.3, 0.3)
    data, unpacked = train.Data(positions), Positions(others, KINGS)
    data.lesson, opinion = train.lessons(teacher, positions), train.lessons(teacher, others)
    assert opinion.std() > 0.02, opinion.std()

    def distance(lesson: float) -> float:
        setting = train.Setting.parse(f"width=32,batch=512,rate=0.005,lesson={lesson}")
        progress = train.Progress(0, 150_000, 0)
        network = train.train(setting, data, others, progress, report=60)
        with torch.no_grad():
            return (train.expected_results(network, unpacked) - opinion).square().mean().item()

    assert distance(1) < 0.6 * distance(0)


def test_an_epoch_sees_each_record_once_and_old_ones_by_their_share(positions):
    data = train.Data(positions[:1100], [train.Source(0, 300, 300), train.Source(300, 800, 100)])
    assert data.epoch == 400
    orders = [data.order() for _ in range(8)]
    for order in orders:
        assert sorted(order[order < 300].tolist()) == list(range(300))
    old = torch.cat([order[order >= 300] for order in orders])
    assert sorted(old.tolist()) == list(range(300, 1100))  # all of them before any comes again
    assert (orders[0][:100] >= 300).any() and (orders[0][:100] < 300).any()
    again = train.Data(positions[:10], [train.Source(0, 10, 25)]).order()
    assert again.bincount().tolist().count(3) == 5


def test_folders_are_mixed_as_asked(folder, tmp_path):
    whole = rec.load(folder / "records" / "train.records", CPU)
    for name, count in (("new", 600), ("newer", 300), ("old", 5000)):
        (tmp_path / name).mkdir()
        for file in ("train", "held-out"):
            (tmp_path / name / f"{file}.records").write_bytes(whole[:count].numpy().tobytes())
    texts = [f"{tmp_path}/new", f"{tmp_path}/newer", f"{tmp_path}/old:0.25"]
    data, held_out = train.read([train.Folder.parse(text) for text in texts], CPU)
    assert (len(data.records), data.epoch) == (5900, 1200)
    assert {name: len(part) for name, part in held_out.items()} == {"": 900, f"{tmp_path}/old": 5000}
    data, held_out = train.read([train.Folder(tmp_path)], CPU)  # a folder of folders
    assert (len(data.records), data.epoch, len(held_out[""])) == (5900, 5900, 5900)
    data, held_out = train.read([train.Folder.parse(f"{tmp_path}/{text}") for text in ("new:0.5", "old:0.5")], CPU)
    assert [source.taken for source in data.sources] == [2800, 2800]
    with pytest.raises(ValueError, match="shares must make one"):
        train.read([train.Folder.parse(f"{tmp_path}/new:0.5")], CPU)
    with pytest.raises(ValueError, match="no train.records in"):
        train.read([train.Folder(tmp_path / "none")], CPU)
    with pytest.raises(Exception, match="between 0 and 1"):
        train.Folder.parse("old:1.5")


def test_steps_follow_the_order_and_the_blend_its_line(positions, tmp_path, monkeypatch):
    setting = train.Setting.parse("width=16,batch=256,blend=0.8,last_blend=0.6")
    seen, blends = [], []
    forward, step = train.Trainer.forward, train.Trainer.step

    def watched(trainer, records, lesson):
        seen.append(records.clone())
        return forward(trainer, records, lesson)

    def noted(trainer, rate, blend):
        blends.append((rate, blend))
        step(trainer, rate, blend)

    monkeypatch.setattr(train.Trainer, "forward", watched)
    monkeypatch.setattr(train.Trainer, "step", noted)
    log = tmp_path / "log.jsonl"
    data = train.Data(positions[:1024])
    progress = train.Progress(0, 3 * 1024, time.monotonic())
    train.train(setting, data, positions[:100], progress, report=0, log=log)
    assert progress.seen == 3 * 1024 and len(seen) == 12
    epochs = [torch.cat(seen[first : first + 4]) for first in (0, 4, 8)]
    for epoch in epochs:
        assert sorted(map(bytes, epoch.numpy())) == sorted(map(bytes, positions[:1024].numpy()))
    assert not torch.equal(epochs[0], epochs[1])
    assert [round(blend, 3) for _, blend in blends[:3]] == [0.8, 0.783, 0.767]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 12 and lines[-1]["epochs"] == 3 and lines[-1]["held_out"] > 0


def test_what_comes_first_ends_a_training():
    progress = train.Progress(1000, 100, time.monotonic(), seen=50)
    assert 0.49 < progress.share() < 0.51
    progress = train.Progress(1000, 100, time.monotonic() - 900, seen=50)
    assert 0.89 < progress.share() < 0.91
    progress.begin()  # the slow beginning is not skipped, whatever getting ready took
    assert progress.seconds < 101 and progress.share() == 0.5


# Plays nothing: hands out records that are there, and says what it was asked for.
SELFPLAY = """#!{python}
import json, shutil, subprocess, sys
from pathlib import Path
if sys.argv[1] == "evaluate":
    sys.exit(subprocess.run(["{program}", "data", *sys.argv[1:]]).returncode)
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
out = Path(options["--out"])
for file in ("train.records", "held-out.records"):
    shutil.copy(Path("{records}") / file, out)
(out / "sample.games").write_text("a game")
with open("{calls}", "a") as calls:
    calls.write(json.dumps(options) + "\\n")
if options["--seed"] == "{bad}" and not Path("{calls}.again").exists():
    Path("{calls}.again").touch()
    sys.exit(1)
print("playing")
print(json.dumps({{"games": 12}}))
"""


def test_a_generation_goes_on_where_it_stopped(folder, tmp_path):
    calls, selfplay, network = tmp_path / "calls", tmp_path / "selfplay", tmp_path / "first.nnue"
    names = {"python": sys.executable, "program": PROGRAM, "records": folder / "records", "calls": calls, "bad": 6}
    selfplay.write_text(SELFPLAY.format(**names))
    selfplay.chmod(0o755)
    random_network(9).save(network)
    work = tmp_path / "work"
    command = [sys.executable, HERE / "generation", "--dir", work, "--network", network, "--selfplay", selfplay]
    command += ["--play-seconds", "30", "--part-seconds", "10", "--seed", "5", "--program", PROGRAM]
    command += ["--train-epochs", "0.2", "--device", "cpu", "--verify-positions", "200"]
    command += ["--setting", "name=next,start=@,teacher=@,lesson=0.3,rate=0.0001,batch=512"]
    command += ["--old", f"{folder}/records:0.25"]

    def seeds() -> list[str]:
        return [json.loads(line)["--seed"] for line in calls.read_text().splitlines()]

    assert subprocess.run([*command, "--within", "15"], check=False).returncode == 3 and not calls.exists()
    assert subprocess.run(command, check=False).returncode == 1 and seeds() == ["5", "6"]
    assert subprocess.run([*command, "--stage", "play"], check=False).returncode == 0
    assert seeds() == ["5", "6", "6", "7"] and not (work / "networks").exists()
    subprocess.run(command, check=True)
    assert len(seeds()) == 4
    trained = (work / "networks" / "next.nnue").read_bytes()
    files = {file.name for file in (work / "out").iterdir()}
    assert files == {"log.jsonl", "next.nnue", "results.json", "sample.games"}
    lines = [json.loads(line) for line in (work / "out" / "log.jsonl").read_text().splitlines()]
    assert [line["part"] for line in lines if line.get("stage") == "play"] == ["001", "002", "003"]
    checks = [line for line in lines if line.get("stage") == "verify"]
    assert [(line["by"], line["differences"]) for line in checks] == [("selfplay", 0), ("tabiya", 0)]
    assert any("result" in line for line in lines)

    subprocess.run(command, check=True)  # nothing is left to do
    assert (work / "networks" / "next.nnue").read_bytes() == trained and len(seeds()) == 4
    random_network(10).save(network)
    refused = subprocess.run(command, check=False, capture_output=True, text=True)
    assert refused.returncode != 0 and "belongs to another network" in refused.stderr


def test_bad_settings_are_named():
    with pytest.raises(Exception, match="no setting 'colour'"):
        train.Setting.parse("colour=red")
    with pytest.raises(Exception, match="rate: 'fast' is no float"):
        train.Setting.parse("rate=fast")
