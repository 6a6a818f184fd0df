import { ServiceError } from '@svc/errors'
import { parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { hasErrors, placeFindings } from '../issue.ts'
import { isMapping, listAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { readYaml } from '../source/read-yaml.ts'
import { changedEntry, indexOfSlug, keyChanges, sameData } from './changes.ts'
import type { EntryFields } from './changes.ts'
import { appendEntry, changeEntry, removeEntry } from './splices.ts'
import type { Style } from './render.ts'
import type { Splice } from './text.ts'
import { applySplices } from './text.ts'

export type ManifestEdit =
  | { readonly kind: 'add_trigger'; readonly trigger: EntryFields }
  | { readonly kind: 'change_trigger'; readonly slug: string; readonly changes: EntryFields }
  | { readonly kind: 'set_enabled'; readonly slug: string; readonly enabled: boolean }
  | { readonly kind: 'remove_trigger'; readonly slug: string }
  | { readonly kind: 'add_connector'; readonly connector: EntryFields }
  | { readonly kind: 'remove_connector'; readonly slug: string }

/** The lists of the manifest that are edited. */
type ListKey = 'triggers' | 'connectors'
const noun = { triggers: 'trigger', connectors: 'connector' } as const

/**
 * The text of svc.yaml after an edit, the same text when nothing changes. Every other byte stays; the result is read
 * back and must hold exactly the data asked for. `readManifest` judges if that data is valid.
 */
export function editManifest(text: string, edit: ManifestEdit): string {
  const data = dataOf(text)
  const plan = planOf(data, edit)
  if (!plan) return text
  const expected = { ...data, [plan.key]: plan.entries }
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(mark.length)
  const document = parseDocument(body, { schema: 'core', uniqueKeys: false, logLevel: 'silent' })
  for (const style of ['blocks', 'quotes'] as const) {
    const splices = plan.splices(body, document, style)
    const edited = splices && mark + applySplices(body, splices)
    if (edited !== undefined && sameData(readYaml(edited).data, expected)) return edited
  }
  const rewritten = mark + rewrite(document, plan)
  if (sameData(readYaml(rewritten).data, expected)) return rewritten
  throw new ServiceError('conflict', unusualLayout)
}

const unusualLayout = 'svc.yaml is laid out in a way that cannot be edited safely; edit it by hand'

/** The document's own methods throw on paths that lead through an alias. */
function rewrite(document: Document, plan: Plan): string {
  try {
    plan.rewrite(document)
    return document.toString({ lineWidth: 0 })
  } catch (cause) {
    throw new ServiceError('conflict', unusualLayout, {}, { cause })
  }
}

interface Plan {
  readonly key: ListKey
  readonly entries: readonly unknown[]
  readonly splices: (text: string, document: Document, style: Style) => readonly Splice[] | undefined
  /** the same edit through the document, for layouts that no splice fits; comments stay, spacing may not */
  readonly rewrite: (document: Document) => void
}

function planOf(data: Mapping, edit: ManifestEdit): Plan | undefined {
  switch (edit.kind) {
    case 'add_trigger':
      return addition(data, 'triggers', edit.trigger)
    case 'add_connector':
      return addition(data, 'connectors', edit.connector)
    case 'remove_trigger':
      return removal(data, 'triggers', edit.slug)
    case 'remove_connector':
      return removal(data, 'connectors', edit.slug)
    case 'change_trigger':
      return change(data, 'triggers', edit.slug, edit.changes)
    case 'set_enabled':
      return change(data, 'triggers', edit.slug, { enabled: edit.enabled })
  }
}

/** An entry, with the list that it is in. */
function found(data: Mapping, key: ListKey, slug: string) {
  const entries = listAt(data, key)
  const index = indexOfSlug(entries, slug)
  const entry = entries[index]
  if (!isMapping(entry))
    throw new ServiceError('not_found', `svc.yaml has no ${noun[key]} \`${slug}\`; name one that it has`)
  return { entries, index, entry }
}

function addition(data: Mapping, key: ListKey, fields: EntryFields): Plan {
  const entries = listAt(data, key)
  const entry = inReadingOrder(changedEntry({}, keyChanges({}, fields)))
  const slug = textAt(entry, 'slug')
  if (slug !== undefined && indexOfSlug(entries, slug) !== -1) {
    throw new ServiceError('conflict', `svc.yaml has a ${noun[key]} \`${slug}\` already; take another slug`, {
      slug,
    })
  }
  return {
    key,
    entries: [...entries, entry],
    splices: (text, document, style) => appendEntry(text, document, key, entry, style),
    rewrite: (document) => {
      if (entries.length > 0) document.addIn([key], document.createNode(entry))
      else document.set(key, document.createNode([entry]))
    },
  }
}

/** The names of an entry before what it is made of: an edit is kept without an order. */
function inReadingOrder(entry: Mapping): Mapping {
  const leading = ['slug', 'name', 'provider', 'type'].filter((key) => Object.hasOwn(entry, key))
  return Object.fromEntries([...leading, ...Object.keys(entry)].map((key) => [key, entry[key]]))
}

function removal(data: Mapping, key: ListKey, slug: string): Plan {
  const { entries, index } = found(data, key, slug)
  return {
    key,
    entries: entries.filter((_, at) => at !== index),
    splices: (text, document) => removeEntry(text, document, key, index),
    rewrite: (document) => document.deleteIn([key, index]),
  }
}

function change(data: Mapping, key: ListKey, slug: string, fields: EntryFields): Plan | undefined {
  const { entries, index, entry } = found(data, key, slug)
  const changes = keyChanges(entry, fields)
  if (changes.length === 0) return undefined
  return {
    key,
    entries: entries.map((other, at) => (at === index ? changedEntry(entry, changes) : other)),
    splices: (text, document, style) => changeEntry(text, document, key, index, changes, style),
    rewrite: (document) => {
      for (const one of changes) {
        const path = [key, index, one.key]
        if (one.kind === 'remove') document.deleteIn(path)
        else document.setIn(path, document.createNode(one.value))
      }
    },
  }
}

function dataOf(text: string): Mapping {
  const source = readYaml(text)
  if (isMapping(source.data) && !hasErrors(source.findings)) return source.data
  const issues = placeFindings(source.findings, source.locate)
  throw new ServiceError(
    'MANIFEST_INVALID',
    'svc.yaml cannot be read, so it cannot be edited; mend it by hand first',
    { issues },
  )
}
