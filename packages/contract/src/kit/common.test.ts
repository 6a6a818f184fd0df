import { expect, test } from 'vitest'
import { DefaultModel } from './common.ts'

test.each([['acme/great'], ['acme/great/v2'], [null]])('%j may be a default model', (model) =>
  expect(DefaultModel.safeParse(model).success).toBe(true),
)

test.each(['acme', 'acme/', '/great', 'acme//great', 'acme/gr eat', ''])('%j may not', (model) =>
  expect(DefaultModel.safeParse(model).success).toBe(false),
)
