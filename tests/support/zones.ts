/**
 * Time zones of every kind: with offsets in hours, half hours and quarters, and with clocks that are put forward in
 * March, in September, by half an hour, or never.
 */
export const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  ...['Pacific/Auckland', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Tokyo', 'UTC'],
];
