import { Lexer } from 'yaml'
import { manifestLimits } from '../limits.ts'

export interface HostileFile {
  readonly name: string
  readonly path: 'svc.yaml' | 'svc.toml'
  readonly text: string
}

/** Files that are made to be slow: as big as a limit lets them be, at every limit, times `scale` (1 is the whole). */
export function hostileFiles(scale: number): readonly HostileFile[] {
  const bytes = Math.floor((manifestLimits.bytes - 1000) * scale)
  const tokens = Math.floor((manifestLimits.tokens - 1000) * scale)
  const yaml = Object.entries(yamlFiles(bytes)).flatMap(([name, text]): readonly HostileFile[] => [
    { name, path: 'svc.yaml', text },
    { name: `${name}, up to the limit of tokens`, path: 'svc.yaml', text: cut(text, tokens) },
  ])
  const toml = Object.entries(tomlFiles(Math.floor((manifestLimits.toml_marks - 1000) * scale))).map(
    ([name, text]): HostileFile => ({ name: `TOML: ${name}`, path: 'svc.toml', text }),
  )
  return [...yaml, ...toml]
}

const head = 'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n'

function yamlFiles(bytes: number): Readonly<Record<string, string>> {
  const full = (piece: string) => piece.repeat(Math.floor(bytes / piece.length))
  const lines = (line: (index: number) => string) => {
    const size = line(10_000).length
    return Array.from({ length: Math.floor(bytes / size) }, (_, index) => line(index)).join('')
  }
  const triggers = (line: (index: number) => string) => `${head}triggers:\n${lines(line)}`
  return {
    brackets: full('['),
    'braces with keys': full('{a: '),
    dashes: full('- '),
    'question marks': full('? '),
    colons: full(': '),
    'line breaks': full('\n'),
    'Windows line breaks': full('\r\n'),
    comments: full('#\n'),
    commas: `[${full(',')}`,
    'closing brackets': full(']'),
    anchors: full('&a '),
    aliases: full('*a '),
    tags: full('! '),
    backslashes: `"${full('\\')}"`,
    quotes: `'${full("''")}'`,
    documents: full('---\n'),
    directives: full('%A b\n'),
    'one key': `${full('a')}: 1`,
    'one value': `a: ${full('b')}`,
    'one value of many lines': `a:\n${full('  word\n')}`,
    'one quoted value of many lines': `a: "${full('  word\n')}"`,
    'block lines': `a: |\n${full(' b\n')}`,
    'folded lines': `a: >\n${full(' b\n')}`,
    'the same key': full('a: 1\n'),
    'many keys': lines((index) => `k${index}: v\n`),
    'nearly known keys': lines((index) => `triggerz${index}: 1\n`),
    'unknown keys of agents': `svc_version: 2\nagents:\n${lines((index) => `  a${index}: {connectorz: 1, w: 2}\n`)}`,
    'unknown capabilities': `svc_version: 2\nagents: { a: { svc_cli: [${full('project.cr.mrge, ')}] } }\n`,
    'unknown connectors': `svc_version: 2\nagents: { a: { connectors: [${full('docz, ')}] } }\n`,
    'unknown sandboxes': `svc_version: 2\nagents:\n${lines((index) => `  agent-name-${index}: {sandbox: box-${index}}\n`)}`,
    'unknown agents': triggers((index) => `- {slug: t${index}, agent: agnt-${index}, prompt: x}\n`),
    'invalid triggers': triggers(() => '- {slug: A, type: x}\n'),
    'valid triggers': triggers((index) => `- {slug: t${index}, type: cron, prompt: x, cron: 0 0 0 * * *}\n`),
    'cron expressions': triggers(
      (index) =>
        `- {slug: t${index}, type: cron, prompt: x, cron: "${index % 60},${index % 7} ${Math.floor(index / 60) % 60} ${index % 24} * * *"}\n`,
    ),
    'time zones': triggers(
      (index) => `- {slug: t${index}, type: cron, prompt: x, timezone: Europe/B${index}}\n`,
    ),
    'invalid apps': `${head}apps:\n${lines((index) => `  a${index}: {typ: 1}\n`)}`,
    'header names': `${head}connectors:\n- slug: a\n  headers:\n${lines((index) => `    "a b${index}": x\n`)}`,
    'aliases of a list': `x: &a [1, 2, 3]\ny: [${full('*a, ')}]`,
    laughs: `l0: &l0 [x]\n${lines((index) => `l${index + 1}: &l${index + 1} [*l${index}, *l${index}]\n`)}`,
  }
}

function tomlFiles(marks: number): Readonly<Record<string, string>> {
  const lines = (cost: number, line: (index: number) => string) =>
    Array.from({ length: Math.floor(marks / cost) }, (_, index) => line(index)).join('')
  return {
    brackets: `a = ${'['.repeat(marks)}`,
    tables: lines(3, (index) => `[k${index}]\na\n`),
    'the same table': lines(4, () => '[a.b]\n'),
    dots: `${'a.'.repeat(marks)}a = 1`,
    keys: lines(2, (index) => `k${index} = 1\n`),
    triggers: lines(7, () => '[[triggers]]\nslug="a"\n'),
    agents: lines(5, (index) => `[[agents]]\nname="a${index}"\n`),
    'inline tables': `a = [${lines(3, () => '{a=1},')}]`,
    'one text': `a = """${'x '.repeat(manifestLimits.bytes / 2 - 100)}"""`,
    'an unclosed text': `a = "${'x'.repeat(manifestLimits.bytes - 100)}`,
    comments: lines(1, () => '#\n'),
  }
}

/** The text up to so many tokens, ending with a whole line when it has lines. */
function cut(text: string, tokens: number): string {
  let count = 0
  let length = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > tokens) {
      const line = text.lastIndexOf('\n', length) + 1
      return line > length / 2 ? text.slice(0, line) : text.slice(0, length)
    }
    // Marks of the lexer itself stand for no text.
    if (!/^[\u0002\u0018\u001f]$/.test(lexeme)) length += lexeme.length
  }
  return text
}
