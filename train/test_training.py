"""The path from games to a network, at small size. Needs the program; see `train/test`."""

import os
import subprocess
import sys
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


def test_bad_settings_are_named():
    with pytest.raises(Exception, match="no setting 'colour'"):
        train.Setting.parse("colour=red")
    with pytest.raises(Exception, match="rate: 'fast' is no float"):
        train.Setting.parse("rate=fast")
