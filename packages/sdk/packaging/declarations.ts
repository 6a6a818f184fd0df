import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import ts from 'typescript'

interface Declared {
  readonly text: string
  readonly exported: boolean
  /** The types that it names. */
  readonly names: readonly string[]
}

/**
 * One declaration file of everything that `entry` of `folder` exports, and of the types that those are made of.
 * `replaced` gives the text of files that are not to be read as they are.
 */
export function bundledDeclarations(
  folder: string,
  entry: string,
  replaced: ReadonlyMap<string, string>,
): string {
  const declared = new Map<string, Declared>()
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || basename(path) === 'index.ts') continue
    const text = replaced.get(path) ?? readFileSync(join(folder, path), 'utf8')
    for (const [name, declaration] of declarationsOf(path, text)) {
      if (declared.has(name)) throw new Error(`Two files declare ${name}; one bundle has room for one`)
      declared.set(name, declaration)
    }
  }
  const shown = publicNames(folder, entry, replaced)
  const needed = new Set<string>()
  const take = (name: string): void => {
    const declaration = declared.get(name)
    if (declaration === undefined || needed.has(name)) return
    needed.add(name)
    declaration.names.forEach(take)
  }
  shown.forEach(take)
  const missing = [...shown].filter((name) => !declared.has(name))
  if (missing.length > 0) throw new Error(`${entry} exports what no file declares: ${missing.join(', ')}`)
  const parts = [...needed].map((name) => {
    const { text = '', exported = false } = declared.get(name) ?? {}
    if (shown.has(name) || !exported) return text.trim()
    return text.trim().replace(/^export /m, '')
  })
  return `${parts.join('\n')}\nexport {}\n`
}

/** The declarations of one file that have a name, as the compiler writes them without asking another file. */
function declarationsOf(path: string, text: string): [string, Declared][] {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, stripInternal: true, strict: true }
  const { outputText } = ts.transpileDeclaration(text, { fileName: path, compilerOptions })
  const source = ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2022, true)
  return source.statements.flatMap((statement): [string, Declared][] => {
    const named =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isFunctionDeclaration(statement)
    if (!named || statement.name === undefined) return []
    const exported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
    return [
      [statement.name.text, { text: statement.getFullText(source), exported, names: namesIn(statement) }],
    ]
  })
}

function namesIn(node: ts.Node): string[] {
  const own =
    ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)
      ? [node.typeName.text]
      : ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)
        ? [node.expression.text]
        : []
  const below: string[] = []
  ts.forEachChild(node, (child) => void below.push(...namesIn(child)))
  return [...own, ...below]
}

/** The names that a caller may import; `export type *` is everything that the file exports. */
function publicNames(
  folder: string,
  entry: string,
  replaced: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const index = join(folder, entry)
  const source = ts.createSourceFile(index, readFileSync(index, 'utf8'), ts.ScriptTarget.ES2022, true)
  const names = source.statements.flatMap((statement): string[] => {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return []
    if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.map(({ name }) => name.text)
    const file = posix.join(posix.dirname(entry), statement.moduleSpecifier.getText(source).slice(1, -1))
    const text = replaced.get(file)
    if (text === undefined)
      throw new Error(`${entry} re-exports everything of ${file}, which is not known here`)
    return declarationsOf(file, text).flatMap(([name, { exported }]) => (exported ? [name] : []))
  })
  return new Set(names)
}
