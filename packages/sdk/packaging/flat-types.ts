import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/**
 * The types of `file` with everything that they are made of written out, so that their user needs no schema library and
 * no package of ours. Interfaces and comments stay as they are.
 */
export function flatTypes(file: string): string {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)
  if (config === undefined) throw new Error('tsconfig.json cannot be read')
  const options = { ...config.options, noEmit: true, incremental: false }
  delete options.tsBuildInfoFile
  const program = ts.createProgram([file], options)
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} cannot be read`)
  const checker = program.getTypeChecker()
  const flags =
    ts.TypeFormatFlags.NoTruncation |
    ts.TypeFormatFlags.InTypeAlias |
    ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
  return source.statements
    .filter((statement) => !ts.isImportDeclaration(statement))
    .map((statement) => {
      if (!ts.isTypeAliasDeclaration(statement)) return statement.getFullText(source)
      const type = checker.getTypeAtLocation(statement.name)
      const comment = source.text.slice(statement.pos, statement.getStart(source))
      return `${comment}export type ${statement.name.text} = ${checker.typeToString(type, source, flags)}`
    })
    .join('')
}
