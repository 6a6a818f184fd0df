import { accept, reject, rejectBeyondSchema, sandbox, template, top } from './case.ts'
import type { Case } from './case.ts'

const forbiddenKeys = [
  'image',
  'dockerfile',
  'slug',
  'cpu',
  'memory',
  'disk',
  'entrypoint',
  'context',
  'context_dir',
  'gpu',
]

export const sandboxCases: readonly Case[] = [
  ...forbiddenKeys.map((key) =>
    reject(`\`${key}\` is forbidden in \`sandbox\``, sandbox(`${key}: 1`), `sandbox.${key}`),
  ),
  reject('`sandbox` is an object', top('sandbox: big'), 'sandbox'),
  accept('extra keys are allowed in `sandbox`', sandbox('note: x, region: eu')),
  accept('`sandbox.default` names a template', sandbox('default: big, templates: [{ slug: big, image: x }]')),
  accept('`sandbox.default` may be `default`', sandbox('default: default')),
  reject('`sandbox.default` has length at least 1', sandbox("default: ''"), 'sandbox.default'),
  reject('`sandbox.default` is a string', sandbox('default: 5'), 'sandbox.default'),
  rejectBeyondSchema(
    '`sandbox.default` names a template that exists',
    sandbox('default: big'),
    'sandbox.default',
  ),
  reject('`sandbox.templates` is an array', sandbox('templates: {}'), 'sandbox.templates'),
  reject('a template is an object', sandbox('templates: [big]'), 'sandbox.templates[0]'),
  accept(
    'a template with an image',
    template('slug: big, name: Big, image: x, entrypoint: /bin/sh, cpu: 1, memory: 1, disk: 1'),
  ),
  accept('a template with a dockerfile', template('slug: own, dockerfile: .svc/Dockerfile')),
  reject('a template needs a slug', template('image: x'), 'sandbox.templates[0].slug'),
  reject(
    'a template’s slug matches the slug pattern',
    template('slug: Big, image: x'),
    'sandbox.templates[0].slug',
  ),
  reject(
    'a template’s slug is not `default`',
    template('slug: default, image: x'),
    'sandbox.templates[0].slug',
  ),
  rejectBeyondSchema(
    'templates have slugs of their own',
    sandbox('templates: [{ slug: b, image: x }, { slug: b, image: y }]'),
    'sandbox.templates[1].slug',
  ),
  reject(
    'a template’s name is a string',
    template('slug: b, image: x, name: 1'),
    'sandbox.templates[0].name',
  ),
  reject(
    'a template’s entrypoint is a string',
    template('slug: b, image: x, entrypoint: [sh]'),
    'sandbox.templates[0].entrypoint',
  ),
  ...['cpu', 'memory', 'disk'].flatMap((key) => [
    reject(
      `\`${key}\` is at least 1`,
      template(`slug: b, image: x, ${key}: 0`),
      `sandbox.templates[0].${key}`,
    ),
    reject(
      `\`${key}\` is an integer`,
      template(`slug: b, image: x, ${key}: 1.5`),
      `sandbox.templates[0].${key}`,
    ),
  ]),
  reject(
    'a size is a number, not text',
    template("slug: b, image: x, memory: '8'"),
    'sandbox.templates[0].memory',
  ),
  reject(
    'a template has `image` or `dockerfile`: not neither',
    template('slug: b'),
    'sandbox.templates[0].image',
  ),
  reject(
    'a template has `image` or `dockerfile`: not both',
    template('slug: b, image: x, dockerfile: y'),
    'sandbox.templates[0].dockerfile',
  ),
  reject('`image` has length at least 1', template("slug: b, image: ''"), 'sandbox.templates[0].image'),
  reject(
    '`dockerfile` has length at least 1',
    template("slug: b, dockerfile: ''"),
    'sandbox.templates[0].dockerfile',
  ),
  reject(
    '`dockerfile` is relative',
    template('slug: b, dockerfile: /Dockerfile'),
    'sandbox.templates[0].dockerfile',
  ),
  reject(
    '`dockerfile` has no `..`',
    template('slug: b, dockerfile: ../Dockerfile'),
    'sandbox.templates[0].dockerfile',
  ),
  accept(
    'a key that nothing reads is a warning in a template',
    template('slug: b, image: x, gpu: 1'),
    'warning sandbox.templates[0].gpu',
  ),
]
