import { Readable } from 'node:stream'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { pack } from 'tar-stream'
import type { Program, ProgramControl, ProgramLine, Programs } from '../../program.ts'

export interface ProgramsFixture {
  readonly programs: Programs
  /** Null where nothing runs. */
  readonly real: RealPrograms | null
  dispose(): Promise<void>
}

export interface RealPrograms {
  /** The same sandboxes, by another object. */
  another(): Promise<Programs>
  /** kill -9 of svc-appd in a sandbox. */
  crash(external_id: string): Promise<void>
  /** True where all programs share one network. */
  readonly shared: boolean
  /** Everything that the platform keeps or the machine shows of a sandbox, to look for secrets in. */
  seen(external_id: string): Promise<string>
}

export const forever = new AbortController().signal

/** The fixture of a suite, made before its tests and disposed of after. */
export function fixtureOf(make: () => Promise<ProgramsFixture>): () => ProgramsFixture {
  let fixture: ProgramsFixture | undefined
  beforeAll(async () => {
    fixture = await make()
  })
  afterAll(() => fixture?.dispose())
  return () => {
    if (fixture === undefined) throw new Error('The fixture is not there yet')
    return fixture
  }
}

export function realOf({ real }: ProgramsFixture): RealPrograms {
  if (real === null) throw new Error('This fixture runs no programs')
  return real
}

export function aProgram(changes: Partial<Program> = {}): Program {
  return {
    command: ['node', 'main.mjs'],
    environment: {},
    masked: {},
    folder: '',
    kind: 'serve',
    port: null,
    readiness_path: null,
    timeout_ms: 60_000,
    ...changes,
  }
}

export const aSandbox = (image: string | null = null) => ({
  sandbox_id: randomUUID(),
  image,
  limits: {},
  token: randomBytes(24).toString('base64url'),
})

export interface Entry {
  readonly name: string
  readonly content?: string
  readonly type?: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'character-device'
  readonly linkname?: string
  readonly mode?: number
}

export function archiveOf(entries: readonly Entry[]): Readable {
  const archive = pack()
  for (const { content = '', ...header } of entries) archive.entry(header, content)
  archive.finalize()
  return Readable.from(archive)
}

export const filesOf = (files: Readonly<Record<string, string>>) =>
  archiveOf(Object.entries(files).map(([name, content]) => ({ name, content })))

export interface Running {
  readonly external_id: string
  readonly token: string
  readonly control: ProgramControl
}

export async function openSandbox(programs: Programs, image: string | null = null): Promise<Running> {
  const sandbox = aSandbox(image)
  const { external_id } = await programs.create(sandbox, forever)
  const control = await programs.control(external_id, sandbox.token)
  if (control === null) throw new Error('A sandbox that was made a moment ago does not run')
  return { external_id, token: sandbox.token, control }
}

/** A sandbox in which a script runs, in whatever state. */
export async function runScript(
  programs: Programs,
  script: string,
  changes: Partial<Program> = {},
): Promise<Running> {
  const running = await openSandbox(programs)
  await running.control.put(filesOf({ 'main.mjs': script }), forever)
  await running.control.start(aProgram(changes), forever)
  return running
}

export async function untilPhase(control: ProgramControl, phase: string): Promise<void> {
  await expect.poll(async () => (await control.state(forever)).phase, { interval: 50 }).toBe(phase)
}

export async function linesOf(control: ProgramControl): Promise<readonly ProgramLine[]> {
  const all: ProgramLine[] = []
  for (let after = 0; ;) {
    const lines = await control.lines({ after, limit: 2_000, wait_ms: 0 }, forever)
    if (lines.length === 0) return all
    all.push(...lines)
    after = lines.at(-1)?.number ?? after
  }
}

export const textOf = (lines: readonly ProgramLine[]) => lines.map(({ line }) => line).join('\n')

/** Waits until a line holds the words. */
export async function untilSaid(control: ProgramControl, words: string): Promise<void> {
  await expect.poll(async () => textOf(await linesOf(control)), { interval: 50 }).toContain(words)
}
