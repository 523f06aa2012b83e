package io.rpcboot.internal.client.connection.http2;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.http2.HeaderField;
import org.jspecify.annotations.Nullable;

/**
 * Header fields of the block of a response that is being read. One object for all
 * responses of a connection. Event loop only.
 */
class ResponseFields {

	private static final int HTTP_CONTINUE = 100;

	private static final int HTTP_OK = 200;

	/** Status of HTTP, 0 without one. */
	int httpStatus;

	/** Status of gRPC, null without one. */
	@Nullable RpcStatus status;

	/** Encoded message, empty without one. */
	String message = "";

	/** Encoded details, null without any. */
	@Nullable String details;

	/** Knowledge of the server of whether the call ran. */
	Execution execution = Execution.POSSIBLE;

	/** True if the server has a status that gRPC lacks: APPLICATION. */
	boolean isOfApplication;

	/** Encoded type that the implementation has thrown, empty without one. */
	String exception = "";

	/** Hash of the contract of a server that has refused that of this client, or null. */
	@Nullable String contract;

	/** True if the content type is that of gRPC. */
	boolean isGrpc;

	/** True if messages may be compressed, with gzip. */
	boolean isEncoded;

	/** Announced length of the body, -1 without one. */
	long contentLength = -1;

	/** Received attachments, null without any. */
	@Nullable GrpcMetadata metadata;

	/** Memory of the attachments, in bytes. */
	int metadataBytes;

	/** Forgets all fields, at the end of their block. */
	void clear() {
		this.httpStatus = 0;
		this.status = null;
		this.message = "";
		this.details = null;
		this.execution = Execution.POSSIBLE;
		this.isOfApplication = false;
		this.exception = "";
		this.contract = null;
		this.isGrpc = false;
		this.isEncoded = false;
		this.contentLength = -1;
		this.metadata = null;
		this.metadataBytes = 0;
	}

	/** Returns true for HEADERS that a response follows. */
	boolean isInterim() {
		return this.httpStatus >= HTTP_CONTINUE && this.httpStatus < HTTP_OK;
	}

	/** Returns true for HEADERS of a response of gRPC. */
	boolean isOfGrpc() {
		return this.httpStatus == HTTP_OK && this.isGrpc;
	}

	void accept(HeaderField field) {
		Object resolved = field.resolved();
		switch (field.kind()) {
			case ResponseHeaderResolver.HTTP_STATUS -> this.httpStatus = (resolved != null) ? (Integer) resolved : 0;
			case ResponseHeaderResolver.STATUS -> this.status = (RpcStatus) resolved;
			case ResponseHeaderResolver.MESSAGE -> this.message = field.value();
			case ResponseHeaderResolver.DETAILS -> this.details = field.value();
			case ResponseHeaderResolver.EXECUTED ->
				this.execution = field.value().equals("false") ? Execution.NONE : Execution.CERTAIN;
			case ResponseHeaderResolver.RPC_STATUS ->
				this.isOfApplication = resolved instanceof Integer code && code == RpcStatus.APPLICATION.code();
			case ResponseHeaderResolver.EXCEPTION -> this.exception = field.value();
			case ResponseHeaderResolver.CONTRACT -> this.contract = field.value();
			case ResponseHeaderResolver.ENCODING -> this.isEncoded = field.value().equals(Gzip.NAME);
			case ResponseHeaderResolver.CONTENT_LENGTH ->
				this.contentLength = (resolved != null) ? (Integer) resolved : Long.MAX_VALUE;
			case ResponseHeaderResolver.CONTENT_TYPE -> this.isGrpc = resolved == Boolean.TRUE;
			case ResponseHeaderResolver.RESERVED -> {
			}
			default -> attachment(field);
		}
	}

	private void attachment(HeaderField field) {
		if (this.metadata == null) {
			this.metadata = new GrpcMetadata();
		}
		try {
			this.metadata.add(field.name(), field.value());
			this.metadataBytes += field.memory();
		}
		catch (GrpcException ex) {
			// the reply counts more than an attachment that is not Base64
		}
	}

}
