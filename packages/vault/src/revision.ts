import { createHmac } from 'node:crypto'
import { DataKey } from './data-key.ts'
import { joinParts } from './sealed-text.ts'

export interface SecretEntry {
  readonly name: string
  readonly value: string
}

/** Changes when a name or a value does, whatever their order, and tells nothing about them without the project's key. */
export function secretsRevision(data_key: DataKey, entries: readonly SecretEntry[]): string {
  const pairs = [...entries]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .flatMap(({ name, value }) => [name, value])
  return createHmac('sha256', DataKey.bytesOf(data_key))
    .update(joinParts(['secrets', ...pairs]))
    .digest('hex')
}
