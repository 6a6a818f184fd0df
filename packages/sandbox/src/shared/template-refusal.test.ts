import { expect, test } from 'vitest'
import { templateRefusal, withoutImages } from './template-refusal.ts'

const process = { name: 'process', refusal: withoutImages.bind(null, 'process') }
const docker = { name: 'docker', refusal: () => null }
const image = { slug: 'tools', image: 'debian:12' }

test('a provider without images refuses a template that names one, by its own name and with a way out', () => {
  const refusal = templateRefusal([process], image)
  expect(refusal).toContain('The template tools names an image, and the provider process runs none')
  expect(refusal).toContain('docker')
  expect(templateRefusal([process], { slug: 'built', dockerfile: 'Dockerfile' })).toContain(
    'names a Dockerfile',
  )
})

test('of several providers it is refused only where none of those that may be asked can make it', () => {
  expect(templateRefusal([process, docker], image)).toBeNull()
  expect(templateRefusal([process, docker], image, 'auto')).toBeNull()
  expect(templateRefusal([process, docker], image, 'docker')).toBeNull()
  expect(templateRefusal([process, docker], image, 'process')).toContain('the provider process')
  // A caller that asks for a provider that is not here is told so elsewhere.
  expect(templateRefusal([process], image, 'kubernetes')).toBeNull()
})
