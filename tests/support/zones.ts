/**
 * Time zones of every kind: with offsets in hours, half hours and quarters, and with daylight saving time that starts
 * in March or September, shifts by half an hour, or does not exist.
 */
export const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  ...['Pacific/Auckland', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Tokyo', 'UTC'],
];
