/**
 * Time zones of every kind: with offsets in hours, half hours and quarter hours; with daylight saving time that starts
 * in March or September or shifts the clock by half an hour; and without daylight saving time.
 */
export const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  ...['Pacific/Auckland', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Tokyo', 'UTC'],
];
