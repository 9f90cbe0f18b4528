/**
 * All errors of the backend: type → status and default message, verbatim from Appwrite (contract 1.7).
 * `AppwriteError.about` replaces `%` with an id.
 */
const CATALOGUE = {
  general_unknown: [500, 'An unknown error has occurred. Please check the logs for more information.'],
  general_server_error: [500, 'An internal server error occurred.'],
  general_bad_request: [400, 'There was an error processing your request. Please check the inputs and try again.'],
  general_argument_invalid: [400, 'The request contains one or more invalid arguments.'],
  general_query_invalid: [400, "The query's syntax is invalid. Please check the query and try again."],
  general_query_limit_exceeded: [400, 'Query limit exceeded for the current attribute.'],
  general_cursor_not_found: [400, 'The cursor is invalid.'],
  general_access_forbidden: [401, 'Access to this API is forbidden.'],
  general_unauthorized_scope: [
    401,
    'The current user or API key does not have the required scopes to access the requested resource.',
  ],
  general_unknown_origin: [403, 'The request originated from an unknown origin.'],
  general_route_not_found: [404, 'The requested route was not found. Please refer to the API docs and try again.'],
  general_request_timeout: [408, 'The request was not received in time. Please try again.'],
  general_payload_too_large: [413, 'The request body is larger than the allowed 12 MiB.'],
  general_rate_limit_exceeded: [
    429,
    'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
  ],
  general_feature_unsupported: [501, 'This feature is not supported by this backend.'],
  general_server_busy: [503, 'The server is busy with other requests. Please try again in a moment.'],
  general_storage_full: [507, 'There is no room left on the server. Nothing was stored; please try again later.'],
  general_smtp_disabled: [503, 'SMTP Disabled'],
  general_phone_disabled: [503, 'Phone provider not configured'],

  project_not_found: [404, 'Project with the requested ID could not be found.'],
  project_key_expired: [401, 'The project key has expired. Please generate a new key using the Appwrite console.'],
  project_id_missing: [
    403,
    'The project ID is missing. Please specify your project ID when initializing your Appwrite SDK.',
  ],

  user_invalid_credentials: [401, 'Invalid credentials. Please check the email and password.'],
  user_unauthorized: [401, 'The current user is not authorized to perform the requested action.'],
  user_session_already_exists: [401, 'Creation of a session is prohibited when a session is active.'],
  user_jwt_invalid: [401, 'Failed to verify JWT.'],
  user_invalid_token: [401, 'Invalid token passed in the request.'],
  team_invalid_secret: [401, 'The team invitation secret is invalid. Please request a new invitation and try again.'],
  team_invite_mismatch: [401, 'The invite does not belong to the current user.'],
  user_challenge_required: [
    401,
    'A recently successful challenge is required to complete this action. A challenge is considered recent for 5 minutes.',
  ],
  user_more_factors_required: [401, 'More factors are required to complete the sign in process.'],
  user_blocked: [403, 'The current user has been blocked.'],
  user_jwt_and_cookie_set: [403, 'JWT and session cookie are both set. Use one of them.'],
  user_jwt_creation_denied: [
    403,
    'A JWT cannot be created from a request authorized with a JWT. Authenticate with a session cookie or session header instead.',
  ],
  user_not_found: [404, 'User with the requested ID could not be found.'],
  user_session_not_found: [404, 'The current user session could not be found.'],
  user_already_exists: [409, 'A user with the same id, email, or phone already exists in this project.'],
  user_email_already_exists: [409, 'A user with the same email already exists in the current project.'],
  user_phone_already_exists: [409, 'A user with the same phone number already exists in the current project.'],
  user_target_already_exists: [409, 'A target with the same ID already exists.'],
  user_email_not_found: [400, 'User email could not be found.'],
  user_email_not_verified: [400, 'User email is not verified'],
  user_authenticator_not_found: [404, 'Authenticator could not be found on the current user.'],
  user_authenticator_already_verified: [409, 'This authenticator is already verified on the current user.'],
  user_recovery_codes_not_found: [404, 'Recovery codes could not be found on the current user.'],
  user_recovery_codes_already_exists: [409, 'The current user already generated recovery codes.'],
  user_email_already_verified: [409, 'User email is already verified'],
  user_auth_method_unsupported: [501, 'Email / Password authentication is disabled for this project'],

  team_not_found: [404, 'Team with the requested ID could not be found.'],
  team_already_exists: [409, 'Team with requested ID already exists. Please choose a different ID and try again.'],
  team_invite_not_found: [404, 'The requested team invitation could not be found.'],
  team_membership_mismatch: [404, 'The membership ID does not belong to the team ID.'],
  membership_not_found: [404, 'Membership with the requested ID could not be found.'],
  membership_already_confirmed: [409, 'Membership is already confirmed.'],

  database_not_found: [404, "Database with the requested ID '%' could not be found."],
  database_already_exists: [
    409,
    "Database with the requested ID '%' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  database_timeout: [408, 'Database timed out. Try adjusting your queries or adding an index.'],
  database_query_order_null: [
    400,
    'The order attribute had a null value. Cursor pagination requires all documents order attribute values are non-null.',
  ],
  collection_not_found: [404, "Collection with the requested ID '%' could not be found."],
  collection_already_exists: [
    409,
    "Collection with the requested ID '%' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  table_not_found: [404, "Table with the requested ID '%' could not be found."],
  table_already_exists: [
    409,
    "Table with the requested ID '%' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  document_not_found: [404, "Document with the requested ID '%' could not be found."],
  document_invalid_structure: [
    400,
    'The document structure is invalid. Please ensure the attributes match the collection definition.',
  ],
  document_missing_data: [400, 'The document data is missing. Try again with document data populated.'],
  document_missing_payload: [
    400,
    'The document data and permissions are missing. You must provide either document data or permissions to be updated.',
  ],
  document_already_exists: [
    409,
    "Document with the requested ID '%' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  document_unique_constraint_violation: [
    409,
    'A document with the same value for a unique index already exists. Change the value and try again.',
  ],
  document_update_conflict: [409, 'Remote document is newer than local.'],
  row_not_found: [404, "Row with the requested ID '%' could not be found."],
  row_invalid_structure: [400, 'The row structure is invalid. Please ensure the columns match the table definition.'],
  row_missing_data: [400, 'The row data is missing. Try again with row data populated.'],
  row_missing_payload: [
    400,
    'The row data and permissions are missing. You must provide either row data or permissions to be updated.',
  ],
  row_already_exists: [
    409,
    "Row with the requested ID '%' already exists. Try again with a different ID or use ID.unique() to generate a unique ID.",
  ],
  row_unique_constraint_violation: [
    409,
    'A row with the same value for a unique index already exists. Change the value and try again.',
  ],
  row_update_conflict: [409, 'Remote row is newer than local.'],
  attribute_not_found: [404, "Attribute with the requested ID '%' could not be found."],
  attribute_unknown: [400, "The attribute '%' required for the index could not be found."],
  attribute_default_unsupported: [400, 'Default values cannot be set for array or required attributes.'],
  attribute_already_exists: [409, "Attribute with the requested key '%' already exists."],
  attribute_limit_exceeded: [400, "The maximum number or size of attributes for '%' has been reached."],
  attribute_value_invalid: [
    400,
    'The attribute value is invalid. Please check the type, range and value of the attribute.',
  ],
  attribute_type_invalid: [400, 'The attribute type is invalid.'],
  attribute_invalid_resize: [
    400,
    'Existing data is too large for new size, truncate your existing data then try again.',
  ],
  column_not_found: [404, "Column with the requested ID '%' could not be found."],
  column_unknown: [400, "The column '%' required for the index could not be found."],
  column_default_unsupported: [400, 'Default values cannot be set for array or required columns.'],
  column_already_exists: [409, "Column with the requested key '%' already exists."],
  column_limit_exceeded: [400, "The maximum number or size of columns for '%' has been reached."],
  column_value_invalid: [400, 'The column value is invalid. Please check the type, range and value of the column.'],
  column_type_invalid: [400, 'The column type is invalid.'],
  column_invalid_resize: [400, 'Existing data is too large for new size, truncate your existing data then try again.'],
  index_not_found: [404, "Index with the requested ID '%' could not be found."],
  index_already_exists: [409, "Index with the requested key '%' already exists."],
  index_limit_exceeded: [400, "The maximum number of indexes for '%' has been reached."],
  index_invalid: [400, 'Index invalid.'],
  column_index_not_found: [404, "Index with the requested ID '%' could not be found."],
  column_index_already_exists: [409, "Index with the requested key '%' already exists."],
  column_index_limit_exceeded: [400, "The maximum number of indexes for '%' has been reached."],
  column_index_invalid: [400, 'Index invalid.'],

  storage_bucket_not_found: [404, 'Storage bucket with the requested ID could not be found.'],
  storage_bucket_already_exists: [
    409,
    'A storage bucket with the requested ID already exists. Try again with a different ID or use ID.unique() to generate a unique ID.',
  ],
  storage_bucket_transformations_disabled: [403, 'Image transformations are disabled for the requested bucket.'],
  storage_file_not_found: [404, 'The requested file could not be found.'],
  storage_file_already_exists: [409, 'A storage file with the requested ID already exists.'],
  storage_file_empty: [400, 'Empty file passed to the endpoint.'],
  storage_file_type_unsupported: [400, 'File extension not allowed'],
  storage_invalid_file_size: [400, 'File size not allowed'],
  storage_invalid_file: [403, 'The uploaded file is invalid. Please check the file and try again.'],
  storage_invalid_content_range: [
    400,
    'The content range is invalid. Please check the value of the Content-Range header.',
  ],
  storage_invalid_appwrite_id: [
    400,
    'The value for x-appwrite-id header is invalid. Please check the value of the x-appwrite-id header is a valid id and not unique().',
  ],
  storage_invalid_range: [416, 'The requested range is not satisfiable. Please check the value of the Range header.'],
  storage_image_resolution_exceeded: [400, 'The image resolution exceeds the allowed size.'],
  storage_quota_exceeded: [
    413,
    'You have used all of your storage (% MB). Delete what you no longer need, or ask whoever runs this server.',
  ],
  token_not_found: [404, 'The requested file token could not be found.'],
  webhook_not_found: [404, 'Webhook with the requested ID could not be found.'],
  webhook_already_exists: [409, 'Webhook with the requested ID already exists.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorType = keyof typeof CATALOGUE;

/** The error that services throw; `http/server.ts` turns it into status line and body. */
export class AppwriteError extends Error {
  override readonly name = 'AppwriteError';
  readonly type: ErrorType;
  readonly code: number;

  constructor(type: ErrorType, message?: string) {
    super(message ?? CATALOGUE[type][1]);
    this.type = type;
    this.code = CATALOGUE[type][0];
  }

  /** Returns an error whose message names the resource: `AppwriteError.about('document_not_found', id)`. */
  static about(type: ErrorType, id: string): AppwriteError {
    return new AppwriteError(
      type,
      CATALOGUE[type][1].replace('%', () => id),
    );
  }
}
