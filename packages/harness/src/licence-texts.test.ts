import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { knownHarnesses, pinnedVersions } from './known/known.ts'
import { licencesOf } from './licence-texts.ts'

const versions = knownHarnesses.flatMap((known) =>
  pinnedVersions(known).map((version) => [known.name, version, known.proprietary] as const),
)

test.each(versions)(
  '%s %s has the text of every proprietary package, with its hash',
  (name, version, owed) => {
    const texts = licencesOf(name, version)
    expect(texts.map((text) => text.package)).toEqual([...owed])
    for (const { text, sha256 } of texts) expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
  },
)
