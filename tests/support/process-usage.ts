/** Reads from /proc the resources that a Linux process has used so far. */
import { readFileSync } from 'node:fs';

function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

export const residentMiB = (pid: number): number => memory(pid, 'VmRSS');
export const peakMiB = (pid: number): number => memory(pid, 'VmHWM');

/** Returns the processor seconds used in user and system mode, to a hundredth of a second. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
