import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperationError, ReportedFailure, UsageError } from '../../failures.ts'
import { isObject, stringOf } from '../../json-values.ts'
import { oneLine } from '../../output/plain.ts'
import { runHarnessFiles } from '../../self-host/harness-files.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const verify: Configure = (command, cli) => {
  jsonFlag(command.argument('[name]')).action(async (name: string | undefined, { json }: JsonFlag) => {
    const next = 'run it on the machine of the sandboxes, as the user of the platform'
    const said: unknown = JSON.parse(await runHarnessFiles(cli.io.env, ['verify', name ?? ''], {}, next))
    const installs =
      isObject(said) && Array.isArray(said['installs']) ? said['installs'].filter(isObject) : []
    const damaged = installs.filter((install) => stringOf(install, 'problem') !== null)
    if (json) cli.out.json({ installs })
    else if (installs.length === 0)
      cli.out.line(`${name ?? 'Nothing'} is ${name ? 'not ' : ''}installed on this machine`)
    else
      cli.out.table(
        [
          { header: 'NAME' },
          { header: 'VERSION' },
          { header: 'FOR', flexible: true },
          { header: 'FILES', flexible: true },
        ],
        installs.map((install) => [
          ...['name', 'version', 'target'].map((key) => oneLine(stringOf(install, key) ?? '')),
          oneLine(stringOf(install, 'problem') ?? 'as installed'),
        ]),
      )
    const [first] = damaged
    if (first === undefined) return
    const [which, version] = [stringOf(first, 'name'), stringOf(first, 'version')]
    cli.out.note(
      `Stop its sessions, then \`svc harnesses rm ${which} --version ${version}\`; the next session installs it anew.`,
    )
    throw new ReportedFailure()
  })
}

export const exportFiles: Configure = (command, cli) => {
  command
    .argument('<name>')
    .option('--version <version>', 'one that is installed here; else that of new sessions')
    .action(async (name: string, { version }: { readonly version?: string }) => {
      if (cli.io.stdout.isTTY)
        throw new UsageError(
          'the archive would go to the terminal',
          `svc harnesses export ${name} > ${name}.tgz`,
        )
      await runHarnessFiles(
        cli.io.env,
        ['export', name, version ?? ''],
        { stdout: cli.io.stdout },
        `svc harnesses install ${name}`,
      )
    })
}

export const importFiles: Configure = (command, cli) => {
  jsonFlag(command.argument('<file>'))
    .option('--digest <sha256>', 'the digest that the other machine named')
    .action(async (file: string, { json, digest }: JsonFlag & { readonly digest?: string }) => {
      const path = resolve(cli.io.cwd, file)
      await access(path).catch((cause: unknown) => {
        throw new OperationError(`${file} cannot be read`, 'make it with: svc harnesses export <name>', {
          cause,
        })
      })
      const next = 'export it on a machine of the same kind with the same release of the platform'
      const stdin = createReadStream(path)
      const said = await runHarnessFiles(cli.io.env, ['import', digest ?? ''], { stdin }, next)
      const imported: unknown = JSON.parse(said)
      if (!isObject(imported)) throw new TypeError('the import said nothing')
      if (json) return cli.out.json(imported)
      const name = stringOf(imported, 'name') ?? ''
      cli.out.line(`Imported ${name} ${stringOf(imported, 'version')}`)
      cli.out.line(`Digest ${stringOf(imported, 'digest')}`)
      cli.out.note(`\`svc harnesses install ${name}\` takes it into use, and fetches nothing.`)
    })
}
