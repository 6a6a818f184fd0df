import { posix } from 'node:path'
import type { AppConfig, BuildConfig } from '@svc/app'
import { appBuilds, appLines, appReleases, type AppReleaseRow, type ProjectRow } from '@svc/db'
import type { Repository } from '@svc/git'
import { type Program, type ProgramControl, type ProgramState, SandboxError } from '@svc/sandbox'
import { appLimits, type Running } from '../context.ts'
import { logTail, storable } from '../instances/keep-lines.ts'
import { sandboxOf } from '../instances/sandbox-of.ts'
import { Ended } from '../releases/ended.ts'
import { ReleaseError } from '../releases/release-error.ts'
import { treeArchive } from './archive.ts'

export interface BuildInput {
  readonly project: ProjectRow
  readonly release: AppReleaseRow
  readonly repository: Repository
  readonly build: BuildConfig
}

/** Runs the commands of a release in a sandbox of its own, and works with the folder that they made. */
export async function runBuild<T>(
  ctx: Running,
  { project, release, repository, build }: BuildInput,
  work: (output: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { programs, onStep } = ctx.runtime
  const { release_id, config, commit_sha } = release
  const sandbox = sandboxOf(ctx, project, {
    sandbox_id: release_id,
    image: null,
    resources: config.resources,
  })
  // What an earlier run left is of no use: its log broke off.
  const before = release.build_sandbox ?? programs.identify(release_id)
  if (before !== null) await programs.destroy(before)
  const { external_id } = await programs.create(sandbox, ctx.signal)
  try {
    await appBuilds.keepSandbox(ctx.db, release_id, external_id)
    await onStep?.('build sandbox')
    const control = await programs.control(external_id, sandbox.token)
    if (control === null)
      throw new SandboxError('network', 'The sandbox of the build does not answer; release the commit again')
    try {
      await control.put(treeArchive(repository, commit_sha, '', ctx.signal), ctx.signal)
      await control.start(programOf(config, build), ctx.signal)
      const state = await untilEnded(ctx, release, control)
      await requireSuccess(ctx, release, build, state)
      await onStep?.('built')
      return await work(await control.take(config.folder, ctx.signal))
    } finally {
      await control.close()
    }
  } finally {
    if (!ctx.signal.aborted) await programs.destroy(external_id)
  }
}

const missing = 97
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function programOf(
  { folder, env }: AppConfig,
  { root, install_command, build_command }: BuildConfig,
): Program {
  const commands = [install_command, build_command].flatMap((command) => command ?? [])
  const output = posix.relative(root, folder) || '.'
  const script = [
    ...commands.flatMap((command) => [
      `printf '%s\\n' ${quoted(`$ ${command}`)}`,
      `sh -c ${quoted(command)} || exit $?`,
    ]),
    `[ -d ${quoted(output)} ] || { ls -1ap | grep -v '^\\.\\{1,2\\}/$' | head -20; exit ${missing}; }`,
  ]
  return {
    command: ['sh', '-c', script.join('\n')],
    environment: { ...env, CI: '1' },
    ...{ masked: {}, folder: root, kind: 'once', port: null, readiness_path: null },
    timeout_ms: appLimits.buildMs,
  }
}

const waitMs = 1000
const signOfLifeMs = 3000

/** The state of a build that ended; its lines are in the log of the release by then. */
async function untilEnded(
  ctx: Running,
  release: AppReleaseRow,
  control: ProgramControl,
): Promise<ProgramState> {
  const { signal } = ctx
  const until = performance.now() + appLimits.buildMs
  let [after, seen] = [0, performance.now()]
  for (;;) {
    const state = await control.state(signal)
    const over = state.phase === 'ended' || state.phase === 'failed'
    const lines = await control.lines({ after, limit: 1000, wait_ms: over ? 0 : waitMs }, signal)
    await appLines.add(
      ctx.db,
      release,
      lines.map(({ at, stream, line }) => ({
        ...{ source: 'build' as const, stream, at: new Date(at), line: storable(line) },
      })),
    )
    after = lines.at(-1)?.number ?? after
    if (over && lines.length === 0) return state
    if (performance.now() - seen > signOfLifeMs) {
      seen = performance.now()
      if (!(await appReleases.keepWorking(ctx.db, release.release_id, ctx.now()))) throw new Ended()
    }
    if (performance.now() > until)
      throw new ReleaseError(
        'build',
        `The build took longer than ${appLimits.buildMs / 60_000} minutes; make it shorter, and release again`,
      )
  }
}

async function requireSuccess(
  ctx: Running,
  release: AppReleaseRow,
  { root }: BuildConfig,
  { phase, last_exit, reason }: ProgramState,
): Promise<void> {
  if (phase === 'ended' && last_exit?.code === 0) return
  const words = await logTail(ctx, release)
  if (last_exit?.code === missing) {
    const there = words.split('\n').slice(-20).join(', ')
    throw new ReleaseError(
      'build',
      `There is no folder ${JSON.stringify(release.config.folder)} after the build; ${root === '' ? 'the repository' : JSON.stringify(root)} holds ${there}`,
    )
  }
  const end =
    last_exit === null
      ? (reason ?? 'The build did not end')
      : last_exit.signal === null
        ? `The build ended with code ${last_exit.code}`
        : `The build was ended by ${last_exit.signal}`
  throw new ReleaseError(
    'build',
    words === ''
      ? `${end}, and printed nothing; let the command print what it does`
      : `${end}. Its last words:\n${words}`,
  )
}
