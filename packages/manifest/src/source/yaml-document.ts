import { Composer, Lexer, LineCounter, Parser } from 'yaml'
import type { Document, ParsedNode, YAMLParseError, YAMLWarning } from 'yaml'
import type { Finding, Place } from '../issue.ts'
import { manifestLimits } from '../limits.ts'

type Token = Parser['stack'][number]

export interface YamlDocument {
  readonly document: Document.Parsed<ParsedNode> | undefined
  readonly lines: LineCounter
  readonly findings: readonly Finding[]
  readonly tokens: number
}

/**
 * Reads text into at most one YAML document. Nesting and the number of tokens are bounded before anything is
 * composed, because composing recurses; duplicate keys are left to the tree, where finding them is linear.
 */
export function readYamlDocument(text: string, maxTokens: number = manifestLimits.tokens): YamlDocument {
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parsed = parseTokens(text, lines, maxTokens)
  const { count } = parsed
  if ('message' in parsed) return { document: undefined, lines, findings: [at(lines, parsed)], tokens: count }

  const composer = new Composer<ParsedNode>({
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: false,
    logLevel: 'silent',
  })
  const [first, second] = withoutStacks(() => {
    const documents: Document.Parsed<ParsedNode>[] = []
    for (const document of composer.compose(parsed.tokens, true, text.length)) {
      if (documents.push(document) > 1) break
    }
    return documents
  })
  const findings: Finding[] = [
    ...(first?.errors ?? []).slice(0, manifestLimits.syntax_issues).map((problem) => finding(lines, problem)),
    ...(first?.warnings ?? [])
      .filter((problem) => problem.code !== 'TAG_RESOLVE_FAILED')
      .slice(0, manifestLimits.syntax_issues)
      .map((problem) => finding(lines, problem)),
  ]
  if (second) {
    const message = 'the file holds several YAML documents (`---`); a manifest is one'
    findings.push(at(lines, { message, offset: second.range[0] }))
  }
  return { document: first, lines, findings, tokens: count }
}

/** Each syntax error is an Error; no reader needs their stacks, and taking thousands of them takes a second. */
function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

export function placeOf(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

type Parsed = { readonly count: number } & (
  { readonly tokens: readonly Token[] } | { readonly message: string; readonly offset: number }
)

function parseTokens(text: string, lines: LineCounter, maxTokens: number): Parsed {
  const parser = new Parser(lines.addNewLine)
  const tokens: Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (++count > maxTokens) {
      const message = `the file holds more than ${maxTokens} YAML tokens (a line has about eight)`
      return { message, offset: parser.offset, count }
    }
    if (parser.stack.length > manifestLimits.depth) {
      return { message: `nested deeper than ${manifestLimits.depth} levels`, offset: parser.offset, count }
    }
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens, count }
}

function at(lines: LineCounter, { message, offset }: { message: string; offset: number }): Finding {
  return { path: [], message, severity: 'error', place: placeOf(lines, offset) }
}

function finding(lines: LineCounter, problem: YAMLParseError | YAMLWarning): Finding {
  return {
    path: [],
    message: syntaxMessages[problem.code] ?? `not valid YAML: ${problem.message}`,
    severity: problem.name === 'YAMLWarning' ? 'warning' : 'error',
    place: placeOf(lines, problem.pos[0]),
  }
}

const syntaxMessages: Partial<Record<YAMLParseError['code'], string>> = {
  TAB_AS_INDENT: 'not valid YAML: a tab cannot indent; use spaces',
  BAD_INDENT: 'not valid YAML: the indentation does not match the lines around it',
  MISSING_CHAR: 'not valid YAML: a closing quote, bracket or comma is missing',
  BAD_ALIAS: 'not valid YAML: an alias (`*name`) needs a name, and holds nothing else',
  MULTIPLE_ANCHORS: 'not valid YAML: one value holds several anchors',
  MULTILINE_IMPLICIT_KEY: 'not valid YAML: a key must be on one line; is a `:` or a quote missing here?',
  BLOCK_AS_IMPLICIT_KEY: 'not valid YAML: a second `: ` on the line; quote the value that holds it',
}
