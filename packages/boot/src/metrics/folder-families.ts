import { gauge, histogram, ofRequests, ownedBy } from './metric-family.ts'

/** The services that keep mirrors, and read and write objects. */
const withFolders = [
  ...(['api', 'executor', 'merge-worker', 'sandbox-worker', 'scheduler'] as const),
  ...(['app-worker', 'channel-worker'] as const),
]

/** Measures of the folders of a service, and of the objects that it reads and writes. */
export const folderFamilies = ownedBy(withFolders, {
  svc_mirror_bytes: gauge(
    ['store'],
    'Bytes of mirrors of connected repositories and of kept answers to clones.',
    'How fast does it grow?',
  ),
  svc_disk_free_bytes: gauge(
    ['folder'],
    'Free bytes of the file system that holds the folder.',
    'When is the disk full?',
  ),
  svc_disk_size_bytes: gauge(
    ['folder'],
    'Size of the file system that holds the folder.',
    'When is the disk full?',
  ),
  svc_object_store_request_duration_seconds: histogram(
    ['op', 'outcome'],
    'Time of a request to the object store.',
    'Is storage slow?',
    ofRequests,
  ),
})
