import type { APIRoute } from 'astro';
import { answerApi } from '#api/answer.ts';

export const ALL: APIRoute = answerApi;
