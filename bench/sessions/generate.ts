import { run } from './measure.ts'

export interface Shape {
  readonly files: number
  readonly commits: number
}

/** Fills a bare repository with files, a history of one change each, and a manifest that names the runtime. */
export async function generate(bare: string, { files, commits }: Shape, runtime: string): Promise<void> {
  const lines: string[] = []
  let clock = 1_700_000_000
  const commit = (message: string): void => {
    clock += 1
    lines.push(`commit refs/heads/main\ncommitter Bench <bench@svc.invalid> ${clock} +0000\n`)
    lines.push(`data ${message.length}\n${message}\n`)
  }
  const file = (path: string, text: string): void => {
    lines.push(`M 100644 inline ${path}\ndata ${text.length}\n${text}\n`)
  }
  const body = (index: number, note: string): string =>
    Array.from({ length: 12 }, (_, line) => `line ${line} of file ${index}\n`).join('') + note
  const path = (index: number): string => `d${index % 200}/e${Math.floor(index / 200) % 25}/f${index}.txt`
  commit('First')
  file('svc.yaml', `svc_version: 2\ndefault_agent: default\nruntime: ${runtime}\nagents:\n  default: {}\n`)
  for (let index = 0; index < files; index += 1) file(path(index), body(index, ''))
  for (let index = 1; index < commits; index += 1) {
    const changed = (index * 7919) % files
    commit(`Change ${index}`)
    file(path(changed), body(changed, `change ${index}\n`))
  }
  await run('git', ['-C', bare, 'fast-import', '--quiet', '--force'], lines.join(''))
}
