import { manifestCapabilities } from '../capabilities.ts'
import { manifestLimits } from '../limits.ts'
import { idleCapabilities, notRunYet } from '../not-run-yet.ts'
import { isMapping, valueAt } from '../raw.ts'
import { propertiesOf } from '../schema/described.ts'
import { agentFileSections, manifestSections } from '../schema/descriptions.ts'
import type { Section } from '../schema/descriptions.ts'
import { agentFileJsonSchema, manifestJsonSchema } from '../schema/json-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { valueText } from './value-text.ts'

/** The generated parts of the reference, by the name between their markers. */
export function referenceTables(): Readonly<Record<string, string>> {
  return {
    ...tablesOf(manifestJsonSchema(), manifestSections),
    ...tablesOf(agentFileJsonSchema(), agentFileSections),
    capabilities: `${names(manifestCapabilities)}\n\nNot run yet: nothing asks for ${names([...idleCapabilities])}.`,
    limits: limitsTable(),
  }
}

/** The text with every generated part written anew: the lines between `<!-- begin x -->` and `<!-- end x -->`. */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /(<!-- begin (.*?) -->\n)[\s\S]*?(<!-- end \2 -->)/g,
    (_, begin: string, name: string, end: string) => {
      const table = tables[name]
      if (table === undefined) throw new Error(`nothing generates ${name}`)
      return `${begin}\n${table}\n\n${end}`
    },
  )
}

function tablesOf(schema: JsonSchema, sections: readonly Section[]): Record<string, string> {
  return Object.fromEntries(sections.map((section) => [section.name, sectionTable(schema, section)]))
}

function sectionTable(schema: JsonSchema, section: Section): string {
  const required = valueAt(schema, [...section.path, 'required'])
  const rows = Object.entries(propertiesOf(schema, section)).map(([key, value]) => {
    const needed = Array.isArray(required) && required.includes(key) ? 'yes' : ''
    const text = isMapping(value) ? String(value['description'] ?? '') : ''
    return [`\`${key}\``, valueText(value), needed, text]
  })
  const extra = valueAt(schema, [...section.path, 'additionalProperties'])
  const others = extra === false ? 'Any other key is an error.' : 'Other keys are allowed.'
  return `${table(['Key', 'Value', 'Required', 'Meaning'], rows)}\n\n${others}${notRunIn(section)}`
}

function notRunIn({ name }: Section): string {
  const said = notRunYet.filter(({ section }) => section === name)
  return said.map(({ message }) => `\n\nNot run yet: ${message}.`).join('')
}

function names(listed: readonly string[]): string {
  return listed.map((name) => `\`${name}\``).join(', ')
}

function limitsTable(): string {
  const rows = [
    ['size of a file', '1 MiB'],
    ['nesting', `${manifestLimits.depth} levels`],
    ['YAML tokens of `svc.yaml` (a line has about eight)', String(manifestLimits.tokens)],
    ["YAML tokens of all agents' frontmatter together", String(manifestLimits.frontmatter_tokens)],
    ['entries and line breaks of `svc.toml`', String(manifestLimits.toml_marks)],
    ['values that aliases repeat', String(manifestLimits.aliased_values)],
    ['issues that are listed', String(manifestLimits.issues)],
    ['monitors that are enabled', String(manifestLimits.enabled_monitors)],
    ['interval of a monitor', `at least ${manifestLimits.monitor_interval_seconds}s`],
    ['command of a monitor', `${manifestLimits.monitor_run_characters} characters`],
    ['headers of a connector', String(manifestLimits.connector_headers)],
    [
      'a header',
      `name ${manifestLimits.header_name_characters}, value ${manifestLimits.header_value_characters} characters`,
    ],
  ]
  return table(['What', 'At most'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
