// SPDX-License-Identifier: Apache-2.0
// Session, administration, privileges and statistics.
parser grammar AdminParser;

sessionStatement
    : USE (identifier DOT)? identifier (AT identifier)?              # use
    | SWITCH identifier                                              # switchCatalog
    | SET setItem (COMMA setItem)*                                   # set
    | SET PROPERTY (FOR identifierOrText)? property (COMMA property)* # setProperty
    | SET identifier AS DEFAULT STORAGE VAULT                        # setDefaultStorageVault
    | SET DEFAULT STORAGE VAULT identifier                           # setDefaultStorageVault
    | SET DEFAULT (ROLE | identifier) .*?                            # setDefaultRole
    | UNSET (GLOBAL | SESSION | LOCAL)? VARIABLE (ALL | identifier)  # unsetVariable
    | UNSET DEFAULT STORAGE VAULT                                    # unsetDefaultStorageVault
    | KILL (CONNECTION | QUERY)? (INTEGER_LITERAL | STRING_LITERAL)  # kill
    | SYNC                                                           # sync
    | HELP .*?                                                       # help
    | LOCK (TABLE | TABLES) lockItem (COMMA lockItem)*               # lockTables
    | UNLOCK (TABLE | TABLES)                                        # unlockTables
    | SAVEPOINT identifier                                           # savepoint
    | RELEASE SAVEPOINT identifier                                   # releaseSavepoint
    | ROLLBACK WORK? TO SAVEPOINT? identifier                        # rollbackToSavepoint
    | FLUSH .*?                                                      # flush
    | INSTALL PLUGIN FROM identifierOrText propertyClause?           # installPlugin
    | UNINSTALL PLUGIN identifierOrText                              # uninstallPlugin
    | PREPARE identifier FROM (STRING_LITERAL | AT identifier)       # prepare
    | EXECUTE identifier (USING AT identifier (COMMA AT identifier)*)? # execute
    | DEALLOCATE PREPARE identifier                                  # deallocatePrepare
    ;

setItem
    : NAMES (EQUAL? identifierOrText (COLLATE identifierOrText)? | DEFAULT) # setNames
    | (CHARACTER SET | CHARSET) EQUAL? (identifierOrText | DEFAULT)  # setCharacterSet
    | (GLOBAL | SESSION | LOCAL)? TRANSACTION transactionOption (COMMA transactionOption)* # setTransaction
    | PASSWORD (FOR userIdentity)? (EQUAL | TO) (STRING_LITERAL | PASSWORD LEFT_PAREN STRING_LITERAL RIGHT_PAREN) # setPassword
    | LDAP_ADMIN_PASSWORD (EQUAL | TO) (STRING_LITERAL | PASSWORD LEFT_PAREN STRING_LITERAL RIGHT_PAREN) # setLdapPassword
    | AT identifierOrText (EQUAL | COLON_EQUAL) expression           # setUserVariable
    | DOUBLE_AT ((GLOBAL | SESSION | LOCAL) DOT)? identifier (EQUAL | COLON_EQUAL) setValue # setSystemVariable
    | (GLOBAL | SESSION | LOCAL)? identifier (EQUAL | COLON_EQUAL) setValue # setVariable
    ;

setValue
    : DEFAULT
    | ON
    | ALL
    | BINARY
    | expression
    ;

transactionOption
    : READ (ONLY | WRITE)
    | ISOLATION LEVEL (READ UNCOMMITTED | READ COMMITTED | REPEATABLE READ | SERIALIZABLE)
    ;

lockItem
    : qualifiedName (AS? identifierOrText)? (READ LOCAL? | LOW_PRIORITY? WRITE)
    ;

adminStatement
    : ADMIN SET (FRONTEND | ALL FRONTENDS) CONFIG propertyList ALL? # adminSetFrontendConfig
    | ADMIN SET REPLICA STATUS propertyClause                        # adminSetReplicaStatus
    | ADMIN SET REPLICA VERSION propertyClause                       # adminSetReplicaVersion
    | ADMIN SET TABLE qualifiedName STATUS propertyClause            # adminSetTableStatus
    | ADMIN SET TABLE qualifiedName PARTITION VERSION propertyClause # adminSetPartitionVersion
    | ADMIN SET ENCRYPTION ROOT KEY propertyClause                   # adminSetEncryptionRootKey
    | ADMIN SET AUTO CLUSTER? .*?                                    # adminSetAuto
    | ADMIN REPAIR TABLE qualifiedName partitionSelection?           # adminRepairTable
    | ADMIN CANCEL REPAIR TABLE qualifiedName partitionSelection?    # adminCancelRepairTable
    | ADMIN COMPACT TABLE qualifiedName partitionSelection? (WHERE expression)? # adminCompactTable
    | ADMIN CHECK (TABLET | TABLETS) integerList propertyClause?     # adminCheckTablets
    | ADMIN REBALANCE DISK onBackends?                               # adminRebalanceDisk
    | ADMIN CANCEL REBALANCE DISK onBackends?                        # adminCancelRebalanceDisk
    | ADMIN CLEAN TRASH onBackends?                                  # adminCleanTrash
    | ADMIN DIAGNOSE TABLET INTEGER_LITERAL                          # adminDiagnoseTablet
    | ADMIN SHOW TABLET STORAGE FORMAT VERBOSE?                      # adminShowTabletStorageFormat
    | ADMIN COPY TABLET INTEGER_LITERAL propertyClause?              # adminCopyTablet
    | ALTER SYSTEM alterSystemClause                                 # alterSystem
    | CANCEL DECOMMISSION BACKEND textList                           # cancelDecommission
    | CANCEL ALTER TABLE (COLUMN | ROLLUP | MATERIALIZED VIEW) FROM qualifiedName integerList? # cancelAlterTable
    | CANCEL BUILD INDEX ON qualifiedName integerList?               # cancelBuildIndex
    | CLEAN LABEL identifierOrText? (FROM | IN) qualifiedName        # cleanLabel
    | CLEAN ALL PROFILE                                              # cleanAllProfile
    | CLEAN ALL QUERY STATS                                          # cleanAllQueryStats
    | CLEAN QUERY STATS ((FOR identifier) | (FROM | IN) qualifiedName) # cleanQueryStats
    | ANALYZE TABLE qualifiedName partitionSelection? identifierList? partitionSelection? analyzeOption* propertyClause? # analyzeTable
    | ANALYZE DATABASE qualifiedName analyzeOption* propertyClause?  # analyzeDatabase
    | DROP (CACHED | EXPIRED)? STATS (qualifiedName partitionSelection? identifierList? partitionSelection?)? # dropStats
    | DROP ANALYZE JOB INTEGER_LITERAL                               # dropAnalyzeJob
    | KILL ANALYZE INTEGER_LITERAL                                   # killAnalyze
    ;

onBackends
    : ON LEFT_PAREN STRING_LITERAL (COMMA STRING_LITERAL)* RIGHT_PAREN
    | ON STRING_LITERAL
    ;

textList
    : STRING_LITERAL (COMMA STRING_LITERAL)*
    ;

alterSystemClause
    : ADD BACKEND textList (TO identifierOrText)? propertyClause?    # addBackends
    | (DROP | DROPP) BACKEND textList                                # dropBackends
    | DECOMMISSION BACKEND textList                                  # decommissionBackends
    | MODIFY BACKEND textList SET propertyList                       # modifyBackends
    | ADD (FOLLOWER | OBSERVER) STRING_LITERAL                       # addFrontend
    | DROP (FOLLOWER | OBSERVER) STRING_LITERAL                      # dropFrontend
    | ADD BROKER identifierOrText textList                           # addBroker
    | DROP BROKER identifierOrText textList                          # dropBroker
    | DROP ALL BROKER identifierOrText                               # dropAllBroker
    | MODIFY (FRONTEND | BACKEND) STRING_LITERAL HOSTNAME STRING_LITERAL # modifyHostname
    | SET LOAD ERRORS HUB propertyClause?                            # setLoadErrorsHub
    | (RENAME | identifier) .*?                                      # alterSystemOther
    ;

analyzeOption
    : WITH? SYNC                                                     # analyzeSync
    | WITH? INCREMENTAL                                              # analyzeFlag
    | WITH? FULL                                                     # analyzeFlag
    | WITH? SQL                                                      # analyzeFlag
    | WITH? HISTOGRAM                                                # analyzeFlag
    | WITH? SAMPLE (ROWS | PERCENT_KEYWORD) INTEGER_LITERAL                  # analyzeSample
    | WITH? BUCKETS INTEGER_LITERAL                                  # analyzeNumber
    | WITH? PERIOD INTEGER_LITERAL                                   # analyzeNumber
    | WITH? CRON STRING_LITERAL                                      # analyzeText
    ;

privilegeStatement
    : CREATE USER ifNotExists? userIdentity passwordClause? (DEFAULT ROLE identifierOrText)? passwordOption* commentClause? # createUser
    | ALTER USER ifExists? userIdentity passwordClause? (DEFAULT ROLE identifierOrText)? passwordOption* commentClause? # alterUser
    | DROP USER ifExists? userIdentity                               # dropUser
    | CREATE ROLE ifNotExists? identifierOrText commentClause?       # createRole
    | ALTER ROLE identifierOrText commentClause                      # alterRole
    | DROP ROLE ifExists? identifierOrText                           # dropRole
    | GRANT privilege (COMMA privilege)* ON privilegeScope TO grantee # grant
    | GRANT identifierOrText (COMMA identifierOrText)* TO userIdentity # grantRoles
    | REVOKE privilege (COMMA privilege)* ON privilegeScope FROM grantee # revoke
    | REVOKE identifierOrText (COMMA identifierOrText)* FROM userIdentity # revokeRoles
    ;

passwordClause
    : IDENTIFIED BY PASSWORD? STRING_LITERAL
    | IDENTIFIED WITH identifierOrText (AS STRING_LITERAL)?
    ;

passwordOption
    : PASSWORD_HISTORY (DEFAULT | INTEGER_LITERAL)
    | PASSWORD_EXPIRE (DEFAULT | NEVER | INTERVAL INTEGER_LITERAL intervalUnit)?
    | PASSWORD_REUSE INTERVAL (DEFAULT | INTEGER_LITERAL intervalUnit)
    | FAILED_LOGIN_ATTEMPTS INTEGER_LITERAL
    | PASSWORD_LOCK_TIME (UNBOUNDED | INTEGER_LITERAL intervalUnit?)
    | ACCOUNT_LOCK
    | ACCOUNT_UNLOCK
    ;

privilege
    : (ALL PRIVILEGES? | identifier | SELECT) identifierList?
    ;

privilegeScope
    : (RESOURCE | STAGE | CLUSTER | WORKLOAD GROUP | COMPUTE GROUP | STORAGE VAULT) (identifierOrText | STAR | PERCENT)
    | TABLE? scopePart (DOT scopePart)*
    ;

scopePart
    : identifier | STAR
    ;

grantee
    : ROLE identifierOrText
    | userIdentity
    ;
