// SPDX-License-Identifier: Apache-2.0
// Statements that write or move rows, and transactions.
parser grammar DmlParser;

dmlStatement
    : LOAD DATA LOCAL? INFILE STRING_LITERAL INTO TABLE qualifiedName partitionSelection?
        ((COLUMNS | FIELDS) loadFieldOption*)? (LINES loadFieldOption*)? (IGNORE INTEGER_LITERAL (LINES | ROWS))?
        loadColumnList? (SET assignment (COMMA assignment)*)? propertyClause? # loadData
    | LOAD LABEL qualifiedName LEFT_PAREN loadDescription (COMMA loadDescription)* RIGHT_PAREN
        loadSource? propertyClause? commentClause?                   # loadLabel
    | EXPORT TABLE qualifiedName partitionSelection? (WHERE expression)? TO STRING_LITERAL propertyClause? loadSource? # exportTable
    | CREATE ROUTINE LOAD qualifiedName (ON identifier)? (WITH (APPEND | DELETE | MERGE))? loadClauseList?
        propertyClause? FROM identifier propertyList commentClause?  # createRoutineLoad
    | ALTER ROUTINE LOAD FOR qualifiedName loadClauseList? propertyClause? (FROM identifier propertyList)? # alterRoutineLoad
    | PAUSE ALL? ROUTINE LOAD (FOR? qualifiedName)?                  # pauseRoutineLoad
    | RESUME ALL? ROUTINE LOAD (FOR? qualifiedName)?                 # resumeRoutineLoad
    | STOP ROUTINE LOAD FOR? qualifiedName                           # stopRoutineLoad
    | CANCEL LOAD (FROM qualifiedName)? (WHERE expression)?          # cancelLoad
    | CANCEL EXPORT (FROM qualifiedName)? (WHERE expression)?        # cancelExport
    | CREATE SYNC qualifiedName LEFT_PAREN syncChannel (COMMA syncChannel)* RIGHT_PAREN FROM BINLOG propertyList propertyClause? # createSyncJob
    | (PAUSE | RESUME | STOP) SYNC JOB qualifiedName                 # controlSyncJob
    | BEGIN (WITH LABEL identifierOrText?)?                          # beginTransaction
    | START TRANSACTION (WITH CONSISTENT SNAPSHOT | READ (ONLY | WRITE))? # startTransaction
    | COMMIT WORK? (AND NO? CHAIN)? (NO? RELEASE)?                   # commit
    | ROLLBACK WORK? (AND NO? CHAIN)? (NO? RELEASE)?                 # rollback
    | CALL qualifiedName LEFT_PAREN (expression (COMMA expression)*)? RIGHT_PAREN # callProcedure
    | COPY INTO .*?                                                  # copyInto
    | WARM UP .*?                                                    # warmUp
    ;

updateStatement
    : UPDATE qualifiedName tableAlias? SET assignment (COMMA assignment)* (FROM relations)? (WHERE expression)?
    ;

deleteStatement
    : DELETE FROM qualifiedName partitionSelection? tableAlias? partitionSelection? (USING relations)? (WHERE expression)?
    ;

insertStatement
    : INSERT insertModifier* (INTO | OVERWRITE TABLE? | OVERWRITE INTO)? TABLE? qualifiedName insertTargetOption* identifierList?
        insertTargetOption* relationHint? (query | VALUE valuesRow (COMMA valuesRow)* | SET assignment (COMMA assignment)*)
        onDuplicateKey?
    | REPLACE insertModifier* INTO? qualifiedName partitionSelection? identifierList?
        (query | VALUE valuesRow (COMMA valuesRow)* | SET assignment (COMMA assignment)*)
    ;

insertModifier
    : LOW_PRIORITY | HIGH_PRIORITY | DELAYED | IGNORE
    ;

onDuplicateKey
    : (AS identifier identifierList?)? ON DUPLICATE KEY UPDATE assignment (COMMA assignment)*
    ;

insertTargetOption
    : partitionSelection
    | WITH LABEL identifierOrText
    ;

assignment
    : qualifiedName EQUAL listItem
    ;

loadColumnList
    : LEFT_PAREN loadColumn (COMMA loadColumn)* RIGHT_PAREN
    ;

loadColumn
    : identifierOrText | AT identifier
    ;

loadFieldOption
    : (TERMINATED | STARTING) BY STRING_LITERAL
    | OPTIONALLY? ENCLOSED BY STRING_LITERAL
    | ESCAPED BY STRING_LITERAL
    ;

loadDescription
    : (WITH? (APPEND | DELETE | MERGE))? DATA (INFILE LEFT_PAREN STRING_LITERAL (COMMA STRING_LITERAL)* RIGHT_PAREN | FROM TABLE qualifiedName)
        NEGATIVE? INTO TABLE qualifiedName partitionSelection? loadClause*
    ;

loadClause
    : COLUMNS TERMINATED BY STRING_LITERAL
    | LINES TERMINATED BY STRING_LITERAL
    | FORMAT AS identifierOrText
    | COMPRESS_TYPE AS identifierOrText
    | COLUMNS FROM PATH AS identifierList
    | COLUMNS? LEFT_PAREN loadMapping (COMMA loadMapping)* RIGHT_PAREN
    | SET LEFT_PAREN loadMapping (COMMA loadMapping)* RIGHT_PAREN
    | PRECEDING FILTER expression
    | WHERE expression
    | DELETE ON expression
    | ORDER BY identifier
    | partitionSelection
    | propertyClause
    ;

loadClauseList
    : loadClause (COMMA? loadClause)*
    ;

loadMapping
    : identifierOrText (EQUAL expression)?
    ;

loadSource
    : WITH (BROKER (identifierOrText | propertyList) propertyList? | RESOURCE identifierOrText propertyList? | identifier propertyList)
    ;

syncChannel
    : FROM qualifiedName INTO identifier partitionSelection? identifierList?
    ;
