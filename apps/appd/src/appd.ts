import { serveControl } from './control/serve-control.ts'
import type { AppdEnv } from './env.ts'
import { realFolder } from './files/take.ts'
import { createLines } from './lines/lines.ts'
import { listen } from './listener/listen.ts'
import { createVisitors } from './listener/visitors.ts'
import { openWayOut } from './network/way-out.ts'
import { createSupervisor } from './program/supervisor.ts'

export interface Appd {
  /** Ends the program; a second call has nothing to do. */
  close(graceMs: number): Promise<void>
}

/** Opens the way in, and waits there for a program. */
export async function openAppd(
  { key, root, at, shared, way_out, image }: AppdEnv,
  inherited: Readonly<Record<string, string>>,
): Promise<Appd> {
  if (way_out !== null) await openWayOut(way_out)
  const lines = createLines()
  const supervisor = createSupervisor({
    lines,
    inherited: { ...inherited, ...image?.environment },
    shared,
    image_command: image?.command ?? [],
    folderOf: async (folder) => (folder === null ? (image?.folder ?? root) : realFolder(root, folder)),
  })
  const visitors = createVisitors(() => supervisor.facts().port)
  const control = serveControl({ root, lines, supervisor, visitors: visitors.facts })
  await listen({ at, key, control, visitors })
  return { close: (graceMs) => supervisor.drain(graceMs) }
}
