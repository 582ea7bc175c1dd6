// Turns file system errors into messages that name the file.

import { AppError } from '../../lib/errors.ts'

export function fileError(verb: 'read' | 'write', path: string, cause: unknown): AppError {
  const code = errorCode(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('DISK_FULL', `Cannot ${verb} ${path}: the disk is full.`, { cause })
  }
  return new AppError('FILE_UNREADABLE', `Cannot ${verb} ${path}: ${describeErrno(code, verb)}.`, { cause })
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function describeErrno(code: string, verb: 'read' | 'write'): string {
  switch (code) {
    case 'ENOENT':
      return verb === 'read' ? 'there is no such file' : 'its directory does not exist'
    case 'ENOTDIR':
      return 'a part of the path is not a directory'
    case 'EISDIR':
      return 'it is a directory'
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'EROFS':
      return 'the file system is read-only'
    default:
      return code
  }
}
