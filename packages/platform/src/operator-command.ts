/** The lines that a command of the operator prints. */
export interface Streams {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

interface Done<Result> {
  readonly result: Result
  /** 1 where what was asked is done and found something that is not as it should be. */
  readonly code?: 0 | 1
}

interface Command<Asked extends { readonly json: boolean }, Result> {
  readonly name: string
  readonly usage: string
  /** Null, or a throw, where the words are not of the command. */
  readonly parse: (words: readonly string[]) => Asked | null
  readonly run: (asked: Asked) => Promise<Done<Result>>
  readonly linesOf: (result: Result, asked: Asked) => readonly string[]
}

/** Runs a command of the operator, and prints its result as lines or as JSON. Resolves with the exit code: 0 done, 1 not, 2 misused. */
export async function runOperatorCommand<Asked extends { readonly json: boolean }, Result>(
  { name, usage, parse, run, linesOf }: Command<Asked, Result>,
  words: readonly string[],
  { out, err }: Streams,
): Promise<number> {
  const asked = parsed(parse, words)
  if (asked === null) {
    err(usage)
    return 2
  }
  try {
    const { result, code = 0 } = await run(asked)
    if (asked.json) out(JSON.stringify(result, null, 2))
    else for (const line of linesOf(result, asked)) out(line)
    return code
  } catch (error) {
    err(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

function parsed<Asked>(parse: (words: readonly string[]) => Asked | null, words: readonly string[]) {
  try {
    return parse(words)
  } catch {
    return null
  }
}
