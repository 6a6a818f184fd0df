import { ServiceError } from '@svc/errors'
import { parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { hasErrors, placeFindings } from '../issue.ts'
import { isMapping, listAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { readYaml } from '../source/read-yaml.ts'
import { changedEntry, indexOfSlug, keyChanges, sameData } from './changes.ts'
import type { KeyChange, TriggerFields } from './changes.ts'
import { appendTrigger, changeTrigger, removeTrigger } from './splices.ts'
import type { Style } from './render.ts'
import type { Splice } from './text.ts'
import { applySplices } from './text.ts'

export type ManifestEdit =
  | { readonly kind: 'add_trigger'; readonly trigger: TriggerFields }
  | { readonly kind: 'change_trigger'; readonly slug: string; readonly changes: TriggerFields }
  | { readonly kind: 'set_enabled'; readonly slug: string; readonly enabled: boolean }
  | { readonly kind: 'remove_trigger'; readonly slug: string }

/**
 * The text of svc.yaml after an edit, the same text when nothing changes. Every other byte stays; the result is read
 * back and must hold exactly the data asked for. `readManifest` judges if that data is valid.
 */
export function editManifest(text: string, edit: ManifestEdit): string {
  const data = dataOf(text)
  const plan = planOf(data, edit)
  if (!plan) return text
  const expected = { ...data, triggers: plan.triggers }
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
  readonly triggers: readonly unknown[]
  readonly splices: (text: string, document: Document, style: Style) => readonly Splice[] | undefined
  /** the same edit through the document, for layouts that no splice fits; comments stay, spacing may not */
  readonly rewrite: (document: Document) => void
}

function planOf(data: Mapping, edit: ManifestEdit): Plan | undefined {
  const triggers = listAt(data, 'triggers')
  if (edit.kind === 'add_trigger') return addition(triggers, edit.trigger)
  const index = indexOfSlug(triggers, edit.slug)
  const entry = triggers[index]
  if (!isMapping(entry)) throw new ServiceError('not_found', `svc.yaml has no trigger \`${edit.slug}\``)
  switch (edit.kind) {
    case 'remove_trigger':
      return {
        triggers: triggers.filter((_, at) => at !== index),
        splices: (text, document) => removeTrigger(text, document, index),
        rewrite: (document) => document.deleteIn(['triggers', index]),
      }
    case 'change_trigger':
      return change(triggers, index, entry, keyChanges(entry, edit.changes))
    case 'set_enabled':
      return change(triggers, index, entry, keyChanges(entry, { enabled: edit.enabled }))
  }
}

function addition(triggers: readonly unknown[], fields: TriggerFields): Plan {
  const trigger = changedEntry({}, keyChanges({}, fields))
  const slug = textAt(trigger, 'slug')
  if (slug !== undefined && indexOfSlug(triggers, slug) !== -1) {
    throw new ServiceError('conflict', `svc.yaml has a trigger \`${slug}\` already`, { slug })
  }
  return {
    triggers: [...triggers, trigger],
    splices: (text, document, style) => appendTrigger(text, document, trigger, style),
    rewrite: (document) => {
      if (triggers.length > 0) document.addIn(['triggers'], document.createNode(trigger))
      else document.set('triggers', document.createNode([trigger]))
    },
  }
}

function change(
  triggers: readonly unknown[],
  index: number,
  entry: Mapping,
  changes: readonly KeyChange[],
): Plan | undefined {
  if (changes.length === 0) return undefined
  return {
    triggers: triggers.map((other, at) => (at === index ? changedEntry(entry, changes) : other)),
    splices: (text, document, style) => changeTrigger(text, document, index, changes, style),
    rewrite: (document) => {
      for (const one of changes) {
        const path = ['triggers', index, one.key]
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
  throw new ServiceError('MANIFEST_INVALID', 'svc.yaml cannot be read, so it cannot be edited', { issues })
}
