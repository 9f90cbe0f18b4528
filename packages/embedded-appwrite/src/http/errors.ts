const TAKEN = ' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.';

/**
 * Default error messages by status and type (contract 1.7), taken from Appwrite for errors that it also has. `about`
 * fills in the `%`.
 */
const CATALOGUE = {
  400: {
    general_bad_request: 'There was an error processing your request. Please check the inputs and try again.',
    general_argument_invalid: 'The request contains one or more invalid arguments.',
    general_query_invalid: "The query's syntax is invalid. Please check the query and try again.",
    general_query_limit_exceeded: 'Query limit exceeded for the current attribute.',
    general_cursor_not_found: 'The cursor is invalid.',
    user_email_not_found: 'User email could not be found.',
    user_email_not_verified: 'User email is not verified',
    database_query_order_null:
      'The order attribute had a null value. Cursor pagination requires all documents order attribute values are non-null.',
    document_invalid_structure:
      'The document structure is invalid. Please ensure the attributes match the collection definition.',
    document_missing_data: 'The document data is missing. Try again with document data populated.',
    document_missing_payload:
      'The document data and permissions are missing. You must provide either document data or permissions to be updated.',
    attribute_unknown: "The attribute '%' required for the index could not be found.",
    attribute_default_unsupported: 'Default values cannot be set for array or required attributes.',
    attribute_limit_exceeded: "The maximum number or size of attributes for '%' has been reached.",
    attribute_value_invalid: 'The attribute value is invalid. Please check the type, range and value of the attribute.',
    attribute_type_invalid: 'The attribute type is invalid.',
    attribute_invalid_resize: 'Existing data is too large for new size, truncate your existing data then try again.',
    index_limit_exceeded: "The maximum number of indexes for '%' has been reached.",
    index_invalid: 'Index invalid.',
    storage_file_empty: 'Empty file passed to the endpoint.',
    storage_file_type_unsupported: 'File extension not allowed',
    storage_invalid_file_size: 'File size not allowed',
    storage_invalid_content_range: 'The content range is invalid. Please check the value of the Content-Range header.',
    storage_invalid_appwrite_id:
      'The value for x-appwrite-id header is invalid. Please check the value of the x-appwrite-id header is a valid id and not unique().',
    storage_image_resolution_exceeded: 'The image resolution exceeds the allowed size.',
  },
  401: {
    general_access_forbidden: 'Access to this API is forbidden.',
    general_unauthorized_scope:
      'The current user or API key does not have the required scopes to access the requested resource.',
    project_key_expired: 'The project key has expired. Please generate a new key using the Appwrite console.',
    user_invalid_credentials: 'Invalid credentials. Please check the email and password.',
    user_unauthorized: 'The current user is not authorized to perform the requested action.',
    user_session_already_exists: 'Creation of a session is prohibited when a session is active.',
    user_jwt_invalid: 'Failed to verify JWT.',
    user_invalid_token: 'Invalid token passed in the request.',
    team_invalid_secret: 'The team invitation secret is invalid. Please request a new invitation and try again.',
    team_invite_mismatch: 'The invite does not belong to the current user.',
    user_challenge_required:
      'A recently successful challenge is required to complete this action. A challenge is considered recent for 5 minutes.',
    user_more_factors_required: 'More factors are required to complete the sign in process.',
  },
  403: {
    general_unknown_origin: 'The request originated from an unknown origin.',
    project_id_missing:
      'The project ID is missing. Please specify your project ID when initializing your Appwrite SDK.',
    user_blocked: 'The current user has been blocked.',
    user_jwt_and_cookie_set: 'JWT and session cookie are both set. Use one of them.',
    user_jwt_creation_denied:
      'A JWT cannot be created from a request authorized with a JWT. Authenticate with a session cookie or session header instead.',
    storage_bucket_transformations_disabled: 'Image transformations are disabled for the requested bucket.',
    storage_invalid_file: 'The uploaded file is invalid. Please check the file and try again.',
  },
  404: {
    general_route_not_found: 'The requested route was not found. Please refer to the API docs and try again.',
    project_not_found: 'Project with the requested ID could not be found.',
    user_not_found: 'User with the requested ID could not be found.',
    user_session_not_found: 'The current user session could not be found.',
    user_authenticator_not_found: 'Authenticator could not be found on the current user.',
    user_recovery_codes_not_found: 'Recovery codes could not be found on the current user.',
    team_not_found: 'Team with the requested ID could not be found.',
    team_invite_not_found: 'The requested team invitation could not be found.',
    team_membership_mismatch: 'The membership ID does not belong to the team ID.',
    membership_not_found: 'Membership with the requested ID could not be found.',
    database_not_found: "Database with the requested ID '%' could not be found.",
    collection_not_found: "Collection with the requested ID '%' could not be found.",
    document_not_found: "Document with the requested ID '%' could not be found.",
    attribute_not_found: "Attribute with the requested ID '%' could not be found.",
    index_not_found: "Index with the requested ID '%' could not be found.",
    storage_bucket_not_found: 'Storage bucket with the requested ID could not be found.',
    storage_file_not_found: 'The requested file could not be found.',
    token_not_found: 'The requested file token could not be found.',
    webhook_not_found: 'Webhook with the requested ID could not be found.',
  },
  408: {
    general_request_timeout: 'The request was not received in time. Please try again.',
    database_timeout: 'Database timed out. Try adjusting your queries or adding an index.',
  },
  409: {
    user_already_exists: 'A user with the same id, email, or phone already exists in this project.',
    user_email_already_exists: 'A user with the same email already exists in the current project.',
    user_phone_already_exists: 'A user with the same phone number already exists in the current project.',
    user_target_already_exists: 'A target with the same ID already exists.',
    user_authenticator_already_verified: 'This authenticator is already verified on the current user.',
    user_recovery_codes_already_exists: 'The current user already generated recovery codes.',
    user_email_already_verified: 'User email is already verified',
    team_already_exists: 'Team with requested ID already exists. Please choose a different ID and try again.',
    membership_already_confirmed: 'Membership is already confirmed.',
    database_already_exists: `Database with the requested ID '%'${TAKEN}`,
    collection_already_exists: `Collection with the requested ID '%'${TAKEN}`,
    document_already_exists: `Document with the requested ID '%'${TAKEN}`,
    document_update_conflict: 'Remote document is newer than local.',
    attribute_already_exists: "Attribute with the requested key '%' already exists.",
    index_already_exists: "Index with the requested key '%' already exists.",
    storage_bucket_already_exists: `A storage bucket with the requested ID${TAKEN}`,
    storage_file_already_exists: 'A storage file with the requested ID already exists.',
    webhook_already_exists: 'Webhook with the requested ID already exists.',
  },
  413: {
    general_payload_too_large: 'The request body is larger than the allowed 12 MiB.',
    storage_quota_exceeded:
      'You have used all of your storage (% MB). Delete what you no longer need, or ask whoever runs this server.',
  },
  416: {
    storage_invalid_range: 'The requested range is not satisfiable. Please check the value of the Range header.',
  },
  429: {
    general_rate_limit_exceeded:
      'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
  },
  500: {
    general_unknown: 'An unknown error has occurred. Please check the logs for more information.',
    general_server_error: 'An internal server error occurred.',
  },
  501: {
    general_feature_unsupported: 'This feature is not supported by this backend.',
    user_auth_method_unsupported: 'Email / Password authentication is disabled for this project',
  },
  503: {
    general_server_busy: 'The server is busy with other requests. Please try again in a moment.',
    general_smtp_disabled: 'SMTP Disabled',
    general_phone_disabled: 'Phone provider not configured',
  },
  507: {
    general_storage_full: 'There is no room left on the server. Nothing was stored; please try again later.',
  },
  // WebSocket codes, sent in an `error` frame (contract 2.6). The server also closes the connection if the error occurs
  // while the client is connecting.
  1003: { realtime_message_format_invalid: 'Message format is not valid.' },
  1008: { realtime_policy_violation: 'Policy violation.' },
  1013: { realtime_too_many_messages: 'Too many messages.' },
} as const;

export type ErrorType = {
  [Status in keyof typeof CATALOGUE]: keyof (typeof CATALOGUE)[Status];
}[keyof typeof CATALOGUE];

const DEFAULTS = new Map(
  Object.entries(CATALOGUE).flatMap(([code, messages]) =>
    Object.entries(messages).map(([type, message]) => [type as ErrorType, { code: Number(code), message }] as const),
  ),
);
const defaultOf = (type: ErrorType) => DEFAULTS.get(type) as { code: number; message: string };

export class AppwriteError extends Error {
  override readonly name = 'AppwriteError';
  /** An `ErrorType`, or the tables API's name for it. */
  readonly type: string;
  readonly code: number;

  constructor(type: ErrorType, message?: string, options: ErrorOptions & { readonly shownType?: string } = {}) {
    const { code, message: text } = defaultOf(type);
    super(message ?? text, options);
    this.type = options.shownType ?? type;
    this.code = code;
  }

  static about(type: ErrorType, id: string): AppwriteError {
    return new AppwriteError(
      type,
      defaultOf(type).message.replace('%', () => id),
    );
  }
}
