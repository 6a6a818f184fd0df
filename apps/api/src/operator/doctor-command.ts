import { parseArgs } from 'node:util'
import { createLogger, readSettings } from '@svc/boot'
import { checkNames, type Finding } from '@svc/facts'
import { checksOf, runChecks } from '@svc/operator'
import { openPlatform, platformEnv, runOperatorCommand, type Streams } from '@svc/platform'
import { z } from 'zod'
import { sealedPlaces } from '../sealed-places.ts'

const usage = `doctor                   compares the rows of the database with repositories, keys and logs, beside a platform or without one
doctor --project <id>    only this project
doctor --repair          also puts right what can safely be
       --json            prints { findings } as JSON`

const options = {
  project: { type: 'string' },
  repair: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const Env = z.object(platformEnv)

/** The operator's `doctor …`. Resolves with the exit code: 0 nothing is wrong or left, 1 findings, 2 misused. */
export function runDoctorCommand(
  words: readonly string[],
  source: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> {
  const run = async (asked: Asked) => {
    const findings = await lookForFindings(asked, source, streams.err)
    return {
      result: { findings },
      code: findings.some(({ repaired }) => !repaired) ? (1 as const) : (0 as const),
    }
  }
  return runOperatorCommand({ name: 'doctor', usage, parse, run, linesOf }, words, streams)
}

interface Asked {
  readonly project_id: string | null
  readonly repair: boolean
  readonly json: boolean
}

function parse(words: readonly string[]): Asked | null {
  const { values } = parseArgs({ args: [...words], options })
  const { project, repair = false, json = false } = values
  if (project !== undefined && !z.uuid().safeParse(project).success) return null
  return { project_id: project ?? null, repair, json }
}

/** The findings of every check but those of sandboxes, which are left to their worker. */
export async function lookForFindings(
  { project_id, repair }: Pick<Asked, 'project_id' | 'repair'>,
  source: NodeJS.ProcessEnv,
  err: Streams['err'],
): Promise<readonly Finding[]> {
  const env = readSettings(Env, source)
  const destination = { write: (line: string) => err(line.trimEnd()) }
  const platform = await openPlatform(env, createLogger({ name: 'doctor', level: 'warn', destination }))
  try {
    const wanted = checksOf({ checks: checkNames, project_id })
    const others = wanted.filter(({ worker }) => worker === 'session').map(({ name }) => name)
    if (others.length > 0) err(`Not looked at, since it takes a sandbox-worker: ${others.join(', ')}`)
    const { signal } = new AbortController()
    const ctx = { ...platform.ctx, locks: platform.locks, signal, places: sealedPlaces }
    const own = wanted.filter(({ worker }) => worker === 'merge')
    return (await runChecks(ctx, own, { project_id, repair })).findings
  } finally {
    await platform.close()
  }
}

function linesOf({ findings }: { readonly findings: readonly Finding[] }): string[] {
  if (findings.length === 0) return ['Nothing is wrong.']
  return findings.map(({ check, severity, subject, message, repairable, repaired }) => {
    const state = repaired ? 'repaired' : repairable ? `${severity}, repairable with --repair` : severity
    return `${check} ${subject} (${state}): ${message}`
  })
}
