// A folder as the whole root of a process, as a container runtime mounts it: read-only, with nothing but
// /data to write to, and as another user than root. With root rights by mounts of its own, else in a user
// namespace; where the machine allows neither it says why. The mounts end with the process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface EmptyRoot {
  /** Put before a command with paths of that root. */
  readonly prefix: readonly string[]
  /** Who the process is, as it sees itself. */
  readonly uid: string
}

const UID = '65532'

/** Mounts in a namespace of this command alone, then becomes the command. */
const SCRIPT = `set -e
root=$1 data=$2
mount --bind "$root" "$root"
mount --rbind /proc "$root/proc"
mount --bind "$data" "$root/data"
mount -o remount,ro,bind "$root"
shift 2
exec "$@"`

export async function emptyRoot(root: string, data: string): Promise<EmptyRoot | { why: string }> {
  const isRoot = process.getuid?.() === 0
  const unshare = ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--mount']
  const enter = ['chroot', ...(isRoot ? [`--userspec=${UID}:${UID}`] : []), root]
  const prefix = [...unshare, 'sh', '-c', SCRIPT, 'sh', root, data, ...enter]
  try {
    await run(prefix[0] ?? '', [...prefix.slice(1), '/usr/bin/node', '--version'])
    return { prefix, uid: isRoot ? UID : '0' }
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    return {
      why: `an empty root cannot be mounted here: ${(stderr || message).trim().split('\n')[0]}`,
    }
  }
}
