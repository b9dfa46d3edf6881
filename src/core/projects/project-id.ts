/** Pattern of project ids. */
export const PROJECT_ID = /^[A-Za-z0-9._-]{1,128}$/;
