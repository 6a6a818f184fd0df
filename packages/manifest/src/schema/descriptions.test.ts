import { expect, test } from 'vitest'
import { propertiesOf } from './described.ts'
import { agentFileSections, manifestSections } from './descriptions.ts'
import { agentFileJsonSchema, manifestJsonSchema } from './json-schema.ts'

test.each([
  ...manifestSections.map((section) => ({ ...section, schema: manifestJsonSchema() })),
  ...agentFileSections.map((section) => ({ ...section, schema: agentFileJsonSchema() })),
])('every key of $name is described, and no other', (section) => {
  expect(Object.keys(section.keys)).toEqual(Object.keys(propertiesOf(section.schema, section)))
})

test('editors find the description beside the key', () => {
  expect(manifestJsonSchema()).toMatchObject({
    properties: {
      triggers: {
        items: { properties: { cron: { type: 'string', description: expect.stringContaining('weekday') } } },
      },
    },
  })
})
