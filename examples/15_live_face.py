"""Send a face from a script of one's own as JSON lines, and drive a rig with it.

`send` stands for a script with a camera: it would run the model file of its user (MediaPipe's face landmarker, say)
and send the categories that it finds. Here the weights are made up.
"""

import asyncio
import json
import math
import socket

import facewright as fw

FRAMES = 30


async def send(port: int) -> None:
    """One JSON object a packet: a name for the sender, the frame's number and time, and the weights."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for frame in range(FRAMES):
            opened = 0.5 + 0.5 * math.sin(frame / 5)
            categories = [
                {"categoryName": "jawOpen", "score": opened},
                {"categoryName": "mouthSmileLeft", "score": 0.25},
            ]
            line = {"source": "my camera", "frame": frame, "time": frame / 30, "categories": categories}
            sender.sendto(json.dumps(line).encode(), ("127.0.0.1", port))
            await asyncio.sleep(0.01)


async def main() -> None:
    driver, recording = fw.live.LiveDriver(fw.sample(), smooth=0.2), fw.live.LiveRecording()
    async with fw.live.listen("json", port=0) as listener:  # a free port; 11125 is the usual one
        sending = asyncio.create_task(send(listener.port))
        async for frame in listener:
            pose = driver(frame)
            recording.add(frame)
            if frame.number == FRAMES - 1:
                break
        await sending
        for source in listener.sources():
            print(f"{source.name}: {source.received} frames, {source.lost} lost")
    print(f"jawOpen is {pose.weights[driver.rig.slider_index('jawOpen')]:.2f} at last")
    print(recording.clip("take"))


asyncio.run(main())
