/**
 * Zones that cover the ways clocks differ: by hours, halves and quarters, put forward in March or September, by half
 * an hour, or never.
 */
export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'America/St_Johns',
  'Asia/Tokyo',
  'UTC',
];
