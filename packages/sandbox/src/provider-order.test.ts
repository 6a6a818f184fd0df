import { describe, expect, it } from 'vitest'
import { providerNames } from './provider-names.ts'
import { providerOrder } from './provider-order.ts'

const read = (text: string) => providerOrder().safeParse(text)

describe('SVC_SANDBOX_PROVIDER', () => {
  it.each([
    ['auto', 'auto'],
    ['docker', 'docker'],
    ['docker, process', ['docker', 'process']],
  ])('%s is read', (text, order) => {
    expect(read(text).data).toEqual(order)
  })

  it.each([
    ['', `must be one of ${providerNames.join(', ')}`],
    ['podman', 'must be one of'],
    ['docker,', 'must be one of'],
    ['auto,docker', 'auto chooses by itself'],
    ['docker,docker', 'each provider once'],
    ['process,bubblewrap', 'only one of process and bubblewrap'],
  ])('%j is refused', (text, words) => {
    expect(read(text).error?.issues[0]?.message).toContain(words)
  })
})
