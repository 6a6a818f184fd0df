import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npx tsx scripts/record-session.ts`: has the built client of this checkout do the main job on the platform that it is
 * logged in to, and writes what a person would have seen to docs/images/session.svg, with long waits cut short.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const svc = join(root, 'apps/cli/bin/svc.mjs')
const prompt = 'Add a file NOTES.md that says in one sentence what this repository is for.'
const steps: readonly (readonly string[])[] = [
  ['bakery', '--yes'],
  ['ship'],
  ['sessions', 'chat', '--new', '--prompt', prompt],
  ['cr', 'ls'],
  ['cr', 'diff', '1'],
  ['cr', 'merge', '1'],
]

const maxWaitMs = 1_500

interface Line {
  readonly at: number
  readonly text: string
  readonly kind: 'typed' | 'said'
}

const work = await mkdtemp(join(tmpdir(), 'svc-record-'))
try {
  const lines: Line[] = []
  const began = performance.now()
  for (const args of steps) {
    lines.push({ at: performance.now() - began, text: `$ svc ${args.map(quoted).join(' ')}`, kind: 'typed' })
    const cwd = args[0] === 'bakery' ? work : join(work, 'bakery')
    await run(args, cwd, (text) => lines.push({ at: performance.now() - began, text, kind: 'said' }))
  }
  await writeFile(join(root, 'docs/images/session.svg'), svg(lines))
  console.info('Wrote docs/images/session.svg')
} finally {
  await rm(work, { recursive: true, force: true })
}

/** Tells each line as it is printed. */
async function run(args: readonly string[], cwd: string, onLine: (line: string) => void): Promise<void> {
  const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
  const child = spawn(process.execPath, [svc, ...args], {
    cwd,
    env: { ...process.env, ...author, ...committer },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (part: string) => {
      const whole = (rest + part).split('\n')
      rest = whole.pop() ?? ''
      whole.forEach(onLine)
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${String(code)}`)
}

function quoted(word: string): string {
  return word.includes(' ') ? `"${word}"` : word
}

/** A picture that plays by itself wherever pictures are shown: each line appears at its own time and stays. */
function svg(lines: readonly Line[]): string {
  const [size, columns] = [18, 108]
  let [time, before] = [0, 0]
  const shown = lines.map(({ at, text, kind }, index) => {
    time += Math.min(at - before, maxWaitMs)
    before = at
    const cut = [...text].length > columns ? `${[...text].slice(0, columns - 1).join('')}…` : text
    const place = `x="16" y="${(index + 1) * size + 14}" style="animation-delay:${(time / 1000).toFixed(2)}s"`
    return `<text class="${kind}" ${place}>${escaped(cut)}</text>`
  })
  const height = lines.length * size + 32
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 ${height}" role="img" aria-label="A session with svc">
<style>
rect { fill: #101418 }
text { font: 13px ui-monospace, monospace; white-space: pre; opacity: 0; animation: show 0.01s forwards }
.typed { fill: #7fd18b } .said { fill: #d5dbe1 }
@keyframes show { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { animation-delay: 0s !important } }
</style>
<rect width="920" height="${height}" rx="8"/>
${shown.join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
