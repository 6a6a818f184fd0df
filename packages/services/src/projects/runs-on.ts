import { ServiceError } from '@svc/errors'
import { defaultRuntime, harnessRuntime, type RuntimeName } from '@svc/facts'
import { chooseHarness, type FrozenHarness } from '@svc/harness'
import { type AgentWishes, type Manifest, nearest } from '@svc/manifest'

/** The runtime of a new session, where its row has to hold one: a row without one means the default. */
export interface RunsOn {
  readonly runtime?: RuntimeName
  readonly harness?: FrozenHarness
}

/** Sandboxes run the Node of the platform's own processes. */
export const nodeMajor = Number(process.versions.node.split('.')[0])

/**
 * The runtime or harness of a session, as its creator, the agent's own file and the manifest on the default branch name it
 * in this order. 400 `HARNESS_UNKNOWN` where nothing has that name.
 */
export function runsOn(manifest: Manifest | null, wishes: AgentWishes, asked: string | null = null): RunsOn {
  const chosen = chooseHarness({
    asked,
    of_agent: wishes.harness,
    variant: wishes.variant,
    harness: manifest?.harness ?? null,
    harnesses: manifest?.harnesses ?? [],
    runtime: manifest?.runtime ?? defaultRuntime,
    node_major: nodeMajor,
  })
  switch (chosen.kind) {
    case 'runtime':
      return chosen.runtime === defaultRuntime ? {} : { runtime: chosen.runtime }
    case 'harness':
      return { runtime: harnessRuntime, harness: chosen.harness }
    case 'unknown': {
      const { harness, known } = chosen
      const like = nearest(harness, known)
      const hint = like === undefined ? `known are ${known.join(', ')}` : `did you mean ${like}?`
      throw new ServiceError('HARNESS_UNKNOWN', `There is no harness ${JSON.stringify(harness)}; ${hint}`, {
        harness,
        known,
      })
    }
  }
}
