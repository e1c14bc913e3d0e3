import type { TakeInfo } from '../../core/protocol.gen'

/** What to do where there is no clip yet. */
export function NoKeys({ take }: { take: TakeInfo | null }) {
  if (!take)
    return (
      <p class="empty">
        No keys yet. <kbd>K</kbd> keys the pose at this frame; move in time, pose again, <kbd>K</kbd>, and{' '}
        <kbd>Space</kbd> plays. “Load a take” brings recorded markers or weights.
      </p>
    )
  return (
    <p class="empty">
      {take.bound ? (
        <>
          The take is bound: <kbd>Shift</kbd> <kbd>B</kbd> solves it to a clip.
        </>
      ) : (
        <>
          The take is not bound yet: “By clicks” in its tab, <kbd>B</kbd>, and three pairs bring it onto the face.
        </>
      )}{' '}
      <kbd>Space</kbd> plays its markers.
    </p>
  )
}
