import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** Errors whose message a person or a program reads, and the place of the message among their arguments. */
const refusals: Readonly<Record<string, number>> = { ServiceError: 1, RefusedCredential: 1, ReleaseError: 1 }
/** Functions that make such errors of a message. */
const makers: Readonly<Record<string, number>> = { notAhead: 0, forbidden: 1, refusedCall: 1 }
/** Failures of the client, which have the next step as an argument of its own or in the message. */
const failures: readonly string[] = ['UsageError', 'OperationError']

/** A second part, after what is refused: `; do this`, `: do this`, a second sentence; or what has to be so. */
const nextStep = /[;:] \S|[.?!] \S|, or \S|\b(must|needs)\b/

/** Failures of the client after which nothing is to be done, since the person chose so, or that are a request themselves. */
const final = /^(nothing was|give|say) /

/** The texts that an expression may be, with `…` for what is put in; none where its end, or all of it, comes from elsewhere. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (!ts.isTemplateExpression(node)) return []
  const parts = node.templateSpans.map(({ literal }) => `…${literal.text}`)
  const own = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('')
  return /…\.?$/.test(parts.at(-1) ?? '') || !/[a-z]{2}/.test(own) ? [] : [node.head.text + parts.join('')]
}

/** Messages of a source that say what is refused and leave the reader there. */
function withoutNext(file: string, text: string): string[] {
  if (!makesRefusals.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const message = messageOf(node)
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    for (const each of message === undefined ? [] : textsOf(named(source, message)))
      if (!nextStep.test(each) && !final.test(each)) found.push(`${file}:${line + 1} ${each}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const makesRefusals = new RegExp(
  `\\b(${[...Object.keys(refusals), ...Object.keys(makers), ...failures].join('|')})\\(`,
)

function messageOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const at = makers[node.expression.text]
    return at === undefined ? undefined : node.arguments[at]
  }
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression)) return undefined
  return openMessage(node.expression.text, node.arguments ?? [])
}

/** The text of a `const` for its name; any other expression is itself. */
function named(source: ts.SourceFile, node: ts.Expression): ts.Expression {
  if (!ts.isIdentifier(node)) return node
  let text: ts.Expression = node
  const visit = (one: ts.Node): void => {
    if (ts.isVariableDeclaration(one) && one.name.getText(source) === node.text && one.initializer)
      text = one.initializer
    ts.forEachChild(one, visit)
  }
  visit(source)
  return text
}

/** The message that has to say the next step itself: a refusal's, or a failure's without one beside it. */
function openMessage(name: string, given: readonly ts.Expression[]): ts.Expression | undefined {
  const at = refusals[name]
  if (at !== undefined) return given[at]
  // The client has a step of its own for a file that could not be read or written, by the cause.
  return failures.includes(name) && given.length === 1 ? given[0] : undefined
}

test('a message that ends with what is refused is found', () => {
  const refuse = (message: string) => withoutNext('a.ts', `throw new ServiceError('not_found', ${message})`)
  expect(refuse(`'There is no such project'`)).toEqual(['a.ts:1 There is no such project'])
  expect(refuse('`There is no ${noun} here`')).toHaveLength(1)
  expect(refuse(`is ? 'There is no such x' : 'There is no such y; list them'`)).toHaveLength(1)
  expect(refuse(`'There is no such project; list those that you reach'`)).toEqual([])
  expect(refuse('`${path}: ${message}`')).toEqual([])
  expect(withoutNext('a.ts', 'throw notAhead(`The branch ${name} is gone`)')).toHaveLength(1)
  expect(
    withoutNext('a.ts', `const words = 'It is gone'\nthrow new ServiceError('gone', words)`),
  ).toHaveLength(1)
  expect(withoutNext('a.ts', `throw new UsageError('which host?')`)).toHaveLength(1)
  expect(withoutNext('a.ts', `throw new UsageError('which host?', 'svc hosts ls shows them')`)).toEqual([])
  expect(
    withoutNext('a.ts', 'throw new OperationError(`cannot read ${file}`, undefined, { cause })'),
  ).toEqual([])
})

test('each refusal says what to do next', () => {
  const sources = ['apps', 'packages']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/(tests|testing)\//.test(file))
  const found = sources.flatMap((file) => withoutNext(file, readFileSync(join(root, file), 'utf8')))
  expect(found).toEqual([])
})
