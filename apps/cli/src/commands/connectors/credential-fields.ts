import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { OperationError, UsageError } from '../../failures.ts'
import type { Io } from '../../io.ts'
import { askSecret, canAsk } from '../../output/ask.ts'
import { readGivenFile } from '../../output/given-file.ts'

/** The fields that a person is asked for, by type of auth; those with `?` may stay empty. Others are named by flags. */
const asked: Readonly<Record<string, readonly string[]>> = {
  bearer: ['token'],
  basic: ['username', 'password'],
  api_key: ['key'],
  oauth1: ['consumer_key', 'consumer_secret', 'token?', 'token_secret?'],
  aws_sigv4: ['access_key_id', 'secret_access_key', 'session_token?'],
  hmac: ['secret', 'key_id?'],
}

/**
 * The credential of a connector. `NAME=-` reads the value from stdin, of several each from a line of its own; `NAME=@path`
 * reads a file; without flags a person is asked, unseen. No value comes from an argument, which other processes can see.
 */
export async function readCredential(
  io: Io,
  { slug, auth_type }: { readonly slug: string; readonly auth_type: string | null },
  words: readonly string[],
): Promise<Record<string, string>> {
  if (words.length > 0) return fromWords(io, slug, words)
  const names = asked[auth_type ?? 'none']
  const shown = (names?.[0] ?? 'NAME').replace('?', '')
  const next = `printf %s "$VALUE" | svc connectors connect ${slug} --field ${shown}=-`
  if (names === undefined || !canAsk(io))
    throw new UsageError(
      names === undefined ? `name the fields of auth type ${auth_type}` : 'there is no terminal to ask on',
      names === undefined ? `svc connectors connect ${slug} --field NAME=@file` : next,
    )
  const values: [string, string][] = []
  for (const name of names) {
    const field = name.replace('?', '')
    const value = await askSecret(io, `${field}${name === field ? '' : ' (may be empty)'}: `)
    if (value === null) throw new OperationError('nothing was stored', next)
    if (value !== '') values.push([field, value])
  }
  return Object.fromEntries(values)
}

async function fromWords(io: Io, slug: string, words: readonly string[]): Promise<Record<string, string>> {
  const pairs = words.map((word): readonly [string, string] => {
    const at = word.indexOf('=')
    const source = word.slice(at + 1)
    if (at > 0 && (source === '-' || source.startsWith('@'))) return [word.slice(0, at), source]
    throw new UsageError(
      at > 0
        ? `a value in the arguments can be seen by others; give ${word.slice(0, at)} on stdin`
        : '--field takes NAME=- or NAME=@file',
      `printf %s "$VALUE" | svc connectors connect ${slug} --field ${at > 0 ? word.slice(0, at) : 'NAME'}=-`,
    )
  })
  const unread = await fromStdin(io, pairs.filter(([, source]) => source === '-').length)
  const values: [string, string][] = []
  for (const [name, source] of pairs)
    values.push([name, source === '-' ? (unread.shift() ?? '') : await fileOf(io, source.slice(1))])
  return Object.fromEntries(values)
}

/** All of stdin for one value, which may have lines; a line each for several. */
async function fromStdin(io: Io, count: number): Promise<string[]> {
  if (count === 0) return []
  const given = (await text(io.stdin)).replace(/\r?\n$/, '')
  const values = count === 1 ? [given] : given.split(/\r?\n/)
  if (values.length === count && !values.includes('')) return values
  throw new UsageError(
    count === 1
      ? 'stdin was empty; it must have the value'
      : `stdin must have ${count} lines, one for each field that is -`,
  )
}

async function fileOf(io: Io, path: string): Promise<string> {
  return (await readGivenFile(resolve(io.cwd, path), path)).toString('utf8')
}
