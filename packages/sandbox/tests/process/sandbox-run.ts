import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Pid = z.object({ pid: z.number() })
const State = z.object({
  uid: z.number().nullable(),
  run: z.object({ outer: Pid, inner: Pid.nullable() }),
})

/** Reads the provider's record of a running sandbox. */
export async function readRun(root: string, externalId: string) {
  const { uid, run } = State.parse(JSON.parse(await readFile(join(root, externalId, 'state.json'), 'utf8')))
  return { uid, outer: run.outer.pid, inner: run.inner?.pid ?? null }
}
