import { randomInt } from 'node:crypto';

const ADJECTIVES =
  'amber brave bright calm clever cosy crisp curious dapper eager early faithful fancy fearless gentle glad golden graceful happy honest humble jolly keen kind lively loyal lucky mellow merry mild modest neat nimble noble patient playful polite proud quick quiet rapid rustic serene sharp shiny silent simple sincere sleepy smooth snug solid spry steady sturdy sunny swift tender thrifty tidy vivid warm witty';
const NOUNS =
  'anchor apple badger basket beacon bison bridge candle canyon cedar cherry clover comet compass copper cricket daisy dolphin ember falcon feather fern finch garden ginger glacier harbor hazel heron island ivory jasmine kettle kestrel lantern lemon lilac lizard maple marble meadow mirror mitten oyster otter paddle panda pebble pepper pigeon planet puffin quartz raven ribbon river saddle salmon sparrow teapot tulip violet walnut zebra';

const pick = (words: string): string => {
  const all = words.split(' ');
  return all[randomInt(all.length)] as string;
};

/** Returns a phrase like `Golden otter`, one of four thousand, to compare between page and mail. */
export function securityPhrase(): string {
  const adjective = pick(ADJECTIVES);
  return `${adjective.charAt(0).toUpperCase()}${adjective.slice(1)} ${pick(NOUNS)}`;
}
