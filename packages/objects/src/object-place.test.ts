import { expect, test } from 'vitest'
import { objectPlace } from './object-place.ts'

test('a folder, and a bucket of the region', () => {
  expect(objectPlace('file:///var/lib/svc/objects')).toEqual({
    kind: 'folder',
    folder: '/var/lib/svc/objects',
  })
  expect(objectPlace('s3://acme')).toEqual({
    kind: 's3',
    bucket: 'acme',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
    path_style: false,
  })
})

test('a bucket of a server of its own, below a prefix', () => {
  const url = 's3://acme/svc/prod/?endpoint=http://127.0.0.1:9000&region=eu-1&path_style=true'
  expect(objectPlace(url)).toEqual({
    kind: 's3',
    bucket: 'acme',
    prefix: 'svc/prod/',
    region: 'eu-1',
    endpoint: 'http://127.0.0.1:9000',
    path_style: true,
  })
})

test.each([
  '/var/lib/svc',
  'objects',
  'file://host/folder',
  'https://acme.s3.example',
  's3://',
  's3://key@acme',
  's3://acme?endpoint=minio:9000',
  's3://acme?endpoint=http://u:p@minio',
  's3://acme?pathstyle=true',
])('%s names no place', (url) => expect(objectPlace(url)).toBeNull())
