"""A clip goes out as packets, and comes back as the same clip."""

import asyncio

import numpy as np
import pytest

import facewright as fw
from facewright import live
from facewright.errors import BadValue, UnknownName
from tests.live.wire import run_alone

TIMES = np.arange(12) / 60
CLIP = fw.Clip.from_table(
    "talk", ["jawOpen", "mouthSmileLeft", "HeadYaw"], TIMES,
    np.stack([TIMES * 4, 0.5 - TIMES, 0.1 + TIMES], axis=1),
)  # fmt: skip


@pytest.mark.parametrize("kind", ["livelink", "vmc"])
def test_a_clip_that_is_sent_is_recorded_alike(kind: str) -> None:
    async def there_and_back() -> fw.Clip:
        recording = live.LiveRecording()
        async with live.listen(kind, port=0) as listener, asyncio.timeout(10):
            sending = asyncio.create_task(live.send_clip(CLIP, f"127.0.0.1:{listener.port}", kind))  # type: ignore[arg-type]
            async for frame in listener:
                recording.add(frame)
                if len(recording) == len(TIMES):
                    break
            assert await sending == len(TIMES)
        return recording.clip("back")

    back = fw.retarget(run_alone(there_and_back()), fw.sample()).clip
    np.testing.assert_allclose(back.curves["jawOpen"].times, TIMES, atol=1e-5)
    for name in CLIP.curves:
        np.testing.assert_allclose(back.curves[name].values, CLIP.curves[name].values, atol=1e-6)


def test_what_cannot_be_sent_is_refused_in_words() -> None:
    with pytest.raises(UnknownName, match="livelink"):
        live.packets(CLIP, "osc")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="vmc sends any names"):
        live.packets(fw.Clip.from_table("odd", ["zzqq"], [0, 1], [[0], [1]]), "livelink")
    for address in ("nowhere", "127.0.0.1:0", "127.0.0.1:x", "example.org:11111"):
        with pytest.raises(BadValue, match=r"127\.0\.0\.1:11111"):
            run_alone(live.send_clip(CLIP, address))
