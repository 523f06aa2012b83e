package io.rpcboot.test.shop;

import io.rpcboot.RpcException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
class RpcFailures {

	@ExceptionHandler
	ProblemDetail answer(RpcException failure) {
		return ProblemDetail.forStatus(switch (failure.status()) {
			case UNAVAILABLE, RESOURCE_EXHAUSTED -> HttpStatus.SERVICE_UNAVAILABLE;
			case DEADLINE_EXCEEDED -> HttpStatus.GATEWAY_TIMEOUT;
			default -> HttpStatus.INTERNAL_SERVER_ERROR;
		});
	}

}
